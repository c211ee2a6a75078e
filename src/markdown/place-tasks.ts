import type { Phase } from "../model/plan.ts";
import type { Task, TaskFields } from "../model/task.ts";
import type { TaskId } from "../model/task-id.ts";
import type { Chunk, Placement } from "./chunk.ts";
import { createNaming } from "./generated-id.ts";
import type { FoundTask } from "./read-blocks.ts";
import { fixOfMarkers } from "./read-title.ts";

/** The tasks of a document in order, with their place in it. */
export function placeTasks(chunks: readonly Chunk[]): Task[] {
  const tasks: Task[] = [];
  let name: ((title: string) => TaskId) | undefined;
  let offset = 0;
  let line = 1;
  let phase: string | null = null;
  for (const chunk of chunks) {
    if (chunk.tasks.length > 0) {
      const { placed } = chunk;
      const stays = placed !== null && placed.offset === offset && placed.line === line && placed.phase === phase;
      if (!stays || !chunk.isNamed) {
        const ids = chunk.tasks.map(({ id, title }) => id ?? generate(title));
        const same = stays && placed.tasks.every(({ id }, index) => id === ids[index]);
        if (!same) chunk.placed = placeChunk(chunk, { offset, line, phase }, ids);
      }
      for (const task of (chunk.placed as Placement).tasks) tasks.push(task);
    }
    offset += chunk.text.length;
    line += chunk.lines;
    phase = chunk.headings.at(-1)?.title ?? phase;
  }
  return tasks;

  function generate(title: string): TaskId {
    name ??= createNaming(writtenIds(chunks));
    return name(title);
  }
}

/** The headings above tasks, in order. @param tasks All tasks of the document. */
export function placePhases(chunks: readonly Chunk[], tasks: readonly Task[]): Phase[] {
  const phases: { title: string; line: number; tasks: TaskId[] }[] = [];
  let inherited: { title: string; line: number } | null = null;
  let line = 1;
  let index = 0;
  for (const { tasks: found, headings, lines } of chunks) {
    const placed = headings.map((heading) => ({ ...heading, line: line + heading.line }));
    for (const { start } of found) {
      const heading = placed.findLast((above) => above.start < start) ?? inherited;
      if (heading !== null) {
        if (phases.at(-1)?.line !== heading.line) phases.push({ title: heading.title, line: heading.line, tasks: [] });
        phases.at(-1)?.tasks.push((tasks[index] as Task).id);
      }
      index += 1;
    }
    inherited = placed.at(-1) ?? inherited;
    line += lines;
  }
  return phases;
}

type Place = Pick<Placement, "offset" | "line" | "phase">;

function placeChunk(chunk: Chunk, place: Place, ids: readonly TaskId[]): Placement {
  const tasks = chunk.tasks.map((found, index) => placeTask(chunk, index, found, place, ids[index] as TaskId));
  return { offset: place.offset, line: place.line, phase: place.phase, tasks };
}

// One getter for all: a literal with an accessor gives each task a shape of its own, which is slow to make and to read.
const origins = new WeakMap<object, { readonly chunk: Chunk; readonly index: number }>();
const lazyFields: PropertyDescriptor & ThisType<object> = {
  enumerable: true,
  get(): TaskFields {
    const { chunk, index } = origins.get(this) as { chunk: Chunk; index: number };
    return chunk.fieldsOf(index);
  },
};

function placeTask(chunk: Chunk, index: number, found: FoundTask, place: Place, id: TaskId): Task {
  const { offset } = place;
  const heading = chunk.headings.findLast(({ start }) => start < found.start);
  const task: Omit<Task, "fields"> = {
    id,
    title: found.title,
    markers: found.markers,
    done: found.done,
    phase: heading?.title ?? place.phase,
    fixOf: fixOfMarkers(found.markers),
    line: place.line + found.line,
    start: offset + found.start,
    end: offset + found.end,
    box: offset + found.box,
  };
  origins.set(task, { chunk, index });
  return Object.defineProperty(task, "fields", lazyFields) as Task;
}

const writtenIds = (chunks: readonly Chunk[]): Set<TaskId> =>
  new Set(chunks.flatMap(({ tasks }) => tasks.flatMap(({ id }) => id ?? [])));
