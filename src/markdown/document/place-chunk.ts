import type { Task, TaskFields } from "../../model/task.ts";
import type { TaskId } from "../../model/task-id.ts";
import type { FoundTask } from "../tasks/read-blocks.ts";
import { fixOfMarkers } from "../tasks/read-title.ts";
import { type Chunk, fieldsOf, type Placement } from "./chunk.ts";
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
    return fieldsOf(chunk, index);
  },
};

/** Tasks that stand further behind, or before, and are as they were otherwise. */
export const moveTasks = ({ tasks, offset, line }: Placement, to: Pick<Placement, "offset" | "line">): Task[] =>
  tasks.map((task) => {
    const origin = origins.get(task);
    return taskOf(task, task, to.offset - offset, to.line - line, origin ?? task.fields);
  });

function placeTask(
  chunk: Chunk,
  index: number,
  place: Pick<Task, "id" | "parent" | "phase" | "line"> & { readonly offset: number },
): Task {
  const found = chunk.tasks[index] as FoundTask;
  const names = { ...place, fixOf: fixOfMarkers(found.markers) };
  return taskOf(found, names, place.offset, place.line, chunk.fields?.[index] ?? { chunk, index });
}

function taskOf(
  found: Omit<FoundTask, "id" | "depth">,
  { id, phase, fixOf, parent }: Pick<Task, "id" | "phase" | "fixOf" | "parent">,
  offset: number,
  line: number,
  fields: TaskFields | Origin,
): Task {
  const { title, markers, done } = found;
  const task: Omit<Task, "fields"> & { fields?: TaskFields } = {
    id,
    title,
    markers,
    done,
    phase,
    fixOf,
    parent,
    line: line + found.line,
    start: offset + found.start,
    end: offset + found.end,
    box: offset + found.box,
  };
  if (!("chunk" in fields)) {
    task.fields = fields;
    return task as Task;
  }
  origins.set(task, fields);
  return Object.defineProperty(task, "fields", lazyFields) as Task;
}
