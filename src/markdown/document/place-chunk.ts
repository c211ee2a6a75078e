import type { Task, TaskFields } from "../../model/task.ts";
import type { TaskId } from "../../model/task-id.ts";
import type { FoundTask } from "../tasks/read-blocks.ts";
import { fixOfMarkers } from "../tasks/read-title.ts";
import type { Chunk, Placement } from "./chunk.ts";
import { phaseBehind } from "./phase-behind.ts";

/** Ids given to the tasks of a part in which all have one written. */
export const allWritten: readonly TaskId[] = [];

/** Whether a part of a document was placed there last. */
export const isPlaced = (placed: Placement | null, place: Omit<Placement, "tasks">): placed is Placement =>
  hasMoved(placed, place) && placed.offset === place.offset && placed.line === place.line;

/** Whether a part of a document was placed last where it differs from a place in offset and line at most. */
export const hasMoved = (placed: Placement | null, place: Omit<Placement, "tasks">): placed is Placement =>
  placed !== null &&
  placed.phase === place.phase &&
  placed.phaseLevel === place.phaseLevel &&
  placed.names.every((name, index) => name === place.names[index]);

/** The tasks of a chunk; the same objects as before where they stand as before. */
export function placeChunk(chunk: Chunk, place: Omit<Placement, "tasks">): readonly Task[] {
  if (isPlaced(chunk.placed, place)) return chunk.placed.tasks;
  const around: TaskId[] = [];
  const names = place.names.values();
  const tasks = chunk.tasks.map((found, index) => {
    const id = found.id ?? (names.next().value as TaskId);
    around.length = found.depth;
    const parent = around.at(-1) ?? null;
    around.push(id);
    const phase = phaseOf(chunk, found, place);
    return placeTask(chunk, index, { id, parent, phase, offset: place.offset, line: place.line });
  });
  const { offset, line, phase, phaseLevel, names: given } = place;
  // Listed one by one: a spread is slow, and a start places every chunk of a plan.
  chunk.placed = { offset, line, phase, phaseLevel, names: given, tasks };
  return tasks;
}

function phaseOf({ headings }: Chunk, { start }: FoundTask, { phaseLevel, phase }: Omit<Placement, "tasks">) {
  if (headings.length === 0) return phase;
  const above = headings.filter((heading) => heading.start < start);
  return phaseBehind(above, phaseLevel, phase);
}

// Of what is read when it is asked for. One getter for all: a literal with an accessor gives each task a shape of its own, which is slow to make and to read.
interface Origin {
  readonly chunk: Chunk;
  readonly index: number;
}
const origins = new WeakMap<object, Origin>();
const lazyFields: PropertyDescriptor & ThisType<object> = {
  enumerable: true,
  get(): TaskFields {
    const { chunk, index } = origins.get(this) as Origin;
    return chunk.fieldsOf(index);
  },
};

/** Tasks that stand further behind, or before, and are as they were otherwise. */
export function moveTasks({ tasks, offset, line }: Placement, to: Pick<Placement, "offset" | "line">): Task[] {
  const [by, lines] = [to.offset - offset, to.line - line];
  return tasks.map((task) => {
    // Listed one by one: a spread is slow.
    const moved: Omit<Task, "fields"> & { fields?: TaskFields } = {
      id: task.id,
      title: task.title,
      markers: task.markers,
      done: task.done,
      phase: task.phase,
      fixOf: task.fixOf,
      parent: task.parent,
      line: task.line + lines,
      start: task.start + by,
      end: task.end + by,
      box: task.box + by,
    };
    const origin = origins.get(task);
    return origin === undefined ? withFields(moved, task.fields) : withOrigin(moved, origin);
  });
}

function withFields(task: Omit<Task, "fields"> & { fields?: TaskFields }, fields: TaskFields): Task {
  task.fields = fields;
  return task as Task;
}

function withOrigin(task: Omit<Task, "fields">, origin: Origin): Task {
  origins.set(task, origin);
  return Object.defineProperty(task, "fields", lazyFields) as Task;
}

function placeTask(
  chunk: Chunk,
  index: number,
  place: Pick<Task, "id" | "parent" | "phase" | "line"> & { readonly offset: number },
): Task {
  const found = chunk.tasks[index] as FoundTask;
  const task: Omit<Task, "fields"> & { fields?: TaskFields } = {
    id: place.id,
    title: found.title,
    markers: found.markers,
    done: found.done,
    phase: place.phase,
    fixOf: fixOfMarkers(found.markers),
    parent: place.parent,
    line: place.line + found.line,
    start: place.offset + found.start,
    end: place.offset + found.end,
    box: place.offset + found.box,
  };
  const fields = chunk.fields?.[index];
  return fields === undefined ? withOrigin(task, { chunk, index }) : withFields(task, fields);
}
