import type { Phase } from "../../model/plan.ts";
import type { Task, TaskId } from "../../model/task.ts";
import type { FoundHeading, PlacedHeading } from "../tasks/read-blocks.ts";
import { createNaming, fixOfMarkers } from "../tasks/read-title.ts";
import type { Chunk } from "./chunk.ts";

/**
 * List the tasks of a document in order, with their offsets in the document.
 *
 * @param names Generated ids of the tasks without a written id, in order.
 * @param level Deepest level of a heading that begins a phase; null if every heading does.
 */
export function placeTasks(chunks: readonly Chunk[], names: readonly TaskId[], level: number | null): Task[] {
  const tasks: Task[] = [];
  const around: TaskId[] = [];
  let unnamed = 0;
  let offset = 0;
  let line = 1;
  let phase: string | null = null;
  for (const chunk of chunks) {
    for (const found of chunk.tasks) {
      const id = found.id ?? (names[unnamed++] as TaskId);
      around[found.depth] = id;
      // Do not spread `found`: spreading is slow, and a start places all tasks of a plan.
      tasks.push({
        id,
        title: found.title,
        markers: found.markers,
        done: found.done,
        phase: phaseAt(chunk.headings, found.start, level)?.title ?? phase,
        fixOf: found.markers.length === 0 ? null : fixOfMarkers(found.markers),
        parent: found.depth === 0 ? null : (around[found.depth - 1] as TaskId),
        line: line + found.line,
        start: offset + found.start,
        end: offset + found.end,
        box: offset + found.box,
        fields: found.fields,
        ...(found.aside !== undefined && { aside: found.aside }),
        ...(found.left !== undefined && { left: found.left }),
        ...(found.boxes !== undefined && { boxes: found.boxes.map((box) => offset + box) }),
      });
    }
    phase = phaseAt(chunk.headings, chunk.text.length, level)?.title ?? phase;
    offset += chunk.text.length;
    line += chunk.lines;
  }
  return tasks;
}

const phaseAt = (headings: readonly FoundHeading[], at: number, level: number | null): FoundHeading | undefined =>
  headings.length === 0
    ? undefined
    : headings.findLast((heading) => heading.start < at && (level === null || heading.level <= level));

export function placeHeadings(chunks: readonly Chunk[], length: number): PlacedHeading[] {
  const headings: (FoundHeading & { readonly line: number })[] = [];
  let offset = 0;
  let line = 1;
  for (const chunk of chunks) {
    for (const found of chunk.headings) {
      headings.push({ ...found, start: offset + found.start, line: line + found.line });
    }
    offset += chunk.text.length;
    line += chunk.lines;
  }
  const ends = new Map<FoundHeading, number>();
  const open: FoundHeading[] = [];
  return headings
    .map((heading) => {
      for (let last = open.at(-1); last !== undefined && last.level >= heading.level; last = open.at(-1)) {
        ends.set(last, heading.start);
        open.pop();
      }
      const above = open.at(-1)?.title ?? null;
      open.push(heading);
      return { heading, above };
    })
    .map(({ heading, above }) => ({ ...heading, above, end: ends.get(heading) ?? length }));
}

export function placePhases(tasks: readonly Task[], headings: readonly PlacedHeading[]): Phase[] {
  const phases: { title: string; line: number; tasks: TaskId[] }[] = [];
  let last = -1;
  for (const { id, phase, start } of tasks) {
    if (phase === null) continue;
    while ((headings[last + 1]?.start ?? start) < start) last += 1;
    let at = last;
    while (at > 0 && headings[at]?.title !== phase) at -= 1;
    const { line } = headings[at] as PlacedHeading;
    if (phases.at(-1)?.line !== line) phases.push({ title: phase, line, tasks: [] });
    phases.at(-1)?.tasks.push(id);
  }
  return phases;
}

// Ignore an emoji or an emphasis mark before the word.
const named = /^[^\p{L}\p{N}]*phase[ \t]+(?:\d|[A-Z]\b)/iu;
const numbered = /^[^\p{L}\p{N}]*\d+[.):](?!\d)/u;

/**
 * Find the level of the headings that begin a phase; null if there is none.
 *
 * A phase begins at headings named `Phase 1` or, if there are none, at numbered headings such as `1. Setup`. If these
 * headings have several levels, the highest level with at least two headings is chosen. This excludes the title of the
 * plan and the parts of a phase.
 *
 * @param headings All headings of a document, in order.
 */
export function phaseLevel(headings: readonly FoundHeading[]): number | null {
  return levelOf(headings, named) ?? levelOf(headings, numbered);
}

function levelOf(headings: readonly FoundHeading[], name: RegExp): number | null {
  const levels = headings.filter(({ title }) => name.test(title)).map(({ level }) => level);
  const repeated = levels.filter((level, index) => levels.indexOf(level) !== index);
  return repeated.length > 0 ? Math.min(...repeated) : (levels[0] ?? null);
}

export function nameTasks(chunks: readonly Chunk[]): TaskId[] {
  const tasks = chunks.flatMap((chunk) => chunk.tasks);
  if (tasks.every(({ id }) => id !== null)) return [];
  const name = createNaming(new Set(tasks.flatMap(({ id }) => id ?? [])));
  return tasks.flatMap(({ id, title }) => (id === null ? name(title) : []));
}
