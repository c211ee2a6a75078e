import type { FixTask } from "../model/fix-task.ts";
import type { TaskFields } from "../model/task.ts";
import type { Chunk } from "./chunk.ts";
import type { InsertPlace } from "./insert-place.ts";
import { splitLines } from "./line-ending.ts";
import type { Edit, PlanDocument } from "./plan-document.ts";
import type { FoundTask } from "./read-blocks.ts";
import { fixOfMarkers } from "./read-title.ts";
import type { RenderedFix } from "./render-fix-task.ts";

/** A part of a document: tasks with their place in the whole, and what they say. */
interface Part {
  /** Tasks before it. */
  readonly first: number;
  readonly tasks: readonly (FoundTask & { readonly fields: () => TaskFields })[];
  readonly headings: string;
}

/**
 * Whether an edit has done to a plan what it was meant to, and nothing else: one task more, at its place, unticked,
 * with the fields it was given; every other task and heading as before. Only the chunks that differ are looked at.
 */
export function proveInsert(
  before: PlanDocument,
  after: PlanDocument,
  edit: Edit,
  place: InsertPlace,
  fix: FixTask,
  rendered: RenderedFix,
): boolean {
  const [old, now] = differingParts(before.chunks, after.chunks);
  const at = place.index - old.first;
  const added = now.tasks[at];
  const end = edit.start + edit.text.replace(/[\r\n]+$/, "").length;
  return (
    now.tasks.length === old.tasks.length + 1 &&
    added !== undefined &&
    added.end === end &&
    added.depth === place.depth &&
    isIntended(added, fix, rendered) &&
    now.headings === old.headings &&
    now.tasks.toSpliced(at, 1).every((task, index) => isSame(old.tasks[index] as FoundTask, task, edit, end))
  );
}

function differingParts(before: readonly Chunk[], after: readonly Chunk[]): [Part, Part] {
  let from = 0;
  while (from < before.length && before[from] === after[from]) from += 1;
  let behind = 0;
  while (behind < before.length - from && before.at(-1 - behind) === after.at(-1 - behind)) behind += 1;
  return [partOf(before, from, before.length - behind), partOf(after, from, after.length - behind)];
}

function partOf(chunks: readonly Chunk[], from: number, to: number): Part {
  let first = 0;
  let offset = 0;
  for (const chunk of chunks.slice(0, from)) {
    first += chunk.tasks.length;
    offset += chunk.text.length;
  }
  const tasks = chunks.slice(from, to).flatMap((chunk) => {
    const start = offset;
    offset += chunk.text.length;
    return chunk.tasks.map((task, index) => ({
      ...task,
      start: start + task.start,
      end: start + task.end,
      box: start + task.box,
      fields: () => chunk.fieldsOf(index),
    }));
  });
  const titles = chunks.slice(from, to).flatMap(({ headings }) => headings.map(({ title }) => title));
  return { first, tasks, headings: titles.join("\n") };
}

function isIntended(task: Part["tasks"][number], fix: FixTask, { title, fields }: RenderedFix): boolean {
  const found = task.fields();
  return (
    task.id === fix.id &&
    fixOfMarkers(task.markers) === fix.fixOf &&
    task.markers.length === 1 &&
    !task.done &&
    task.title === title &&
    Object.keys(found).length === Object.keys(fields).length &&
    Object.entries(found).every(([key, value]) => isSameText(value, fields[key as keyof TaskFields]))
  );
}

/** Whether a task is the one it was before the edit, moved by it, or grown by it where the edit lies within. */
function isSame(old: FoundTask, task: FoundTask, edit: Edit, addedEnd: number): boolean {
  const shift = edit.text.length;
  const moved = old.start >= edit.start ? shift : 0;
  const isAround = old.start < edit.start && edit.start <= old.end;
  const ends = old.end === edit.start ? [old.end, addedEnd] : [old.end + (isAround ? shift : moved)];
  return (
    task.id === old.id &&
    task.title === old.title &&
    task.done === old.done &&
    task.depth === old.depth &&
    task.markers.join() === old.markers.join() &&
    task.start === old.start + moved &&
    task.box === old.box + moved &&
    ends.includes(task.end)
  );
}

const isSameText = (a: string, b: string): boolean => splitLines(a).join("\n") === splitLines(b).join("\n");
