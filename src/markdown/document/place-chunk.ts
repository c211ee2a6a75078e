import type { Task, TaskFields, TaskId } from "../../model/task.ts";
import type { FoundTask } from "../tasks/read-blocks.ts";
import { fixOfMarkers } from "../tasks/read-title.ts";
import { type Chunk, fieldsOf, type Placement } from "./chunk.ts";
import { phaseBehind } from "./phase-behind.ts";

/** Ids given to the tasks of a part in which all have one written. */
export const allWritten: readonly TaskId[] = [];

/** Where a part of a document stands, and what its tasks are called by. */
type Place = Omit<Placement, "tasks">;

/** Whether a part of a document was placed there last. */
export const isPlaced = (placed: Placement | null, place: Place): placed is Placement =>
  hasMoved(placed, place) && placed.offset === place.offset && placed.line === place.line;

/** Whether a part of a document was placed last where it differs from a place in offset and line at most. */
export const hasMoved = (placed: Placement | null, place: Place): placed is Placement =>
  placed !== null &&
  placed.phase === place.phase &&
  placed.phaseLevel === place.phaseLevel &&
  placed.names.every((name, index) => name === place.names[index]);

/** The tasks of a chunk. */
export function placeChunk(chunk: Chunk, place: Place): Task[] {
  const { tasks, fields } = chunk;
  const { names, offset, line } = place;
  const around: TaskId[] = [];
  let unnamed = 0;
  return tasks.map((found, index) => {
    const { depth, markers } = found;
    let { id } = found;
    if (id === null) {
      id = names[unnamed] as TaskId;
      unnamed += 1;
    }
    around[depth] = id;
    const parent = depth === 0 ? null : (around[depth - 1] as TaskId);
    const fixOf = markers.length === 0 ? null : fixOfMarkers(markers);
    const named = { id, parent, phase: phaseOf(chunk, found, place), fixOf };
    if (fields !== null) return taskOf(found, named, offset, line, fields[index] as TaskFields);
    return readLater(taskOf(found, named, offset, line, {}), chunk, index);
  });
}

function phaseOf({ headings }: Chunk, { start }: FoundTask, { phaseLevel, phase }: Place): string | null {
  if (headings.length === 0) return phase;
  const above = headings.filter((heading) => heading.start < start);
  return phaseBehind(above, phaseLevel, phase);
}

/** A task whose fields are read when they are asked for. */
function readLater({ fields: _, ...task }: Task, chunk: Chunk, index: number): Task {
  return Object.defineProperty(task, "fields", { enumerable: true, get: () => fieldsOf(chunk, index) }) as Task;
}

/** Tasks that stand further behind, or before, and are as they were otherwise. */
export const moveTasks = ({ tasks, offset, line }: Placement, to: Pick<Placement, "offset" | "line">): Task[] =>
  tasks.map((task) => taskOf(task, task, to.offset - offset, to.line - line, task.fields));

/** A task that stands so far behind where it was found. */
function taskOf(
  found: Omit<FoundTask, "id" | "depth">,
  { id, phase, fixOf, parent }: Pick<Task, "id" | "phase" | "fixOf" | "parent">,
  offset: number,
  line: number,
  fields: TaskFields,
): Task {
  // Listed one by one: a spread is slow, and a start places all tasks of a plan.
  return {
    id,
    title: found.title,
    markers: found.markers,
    done: found.done,
    phase,
    fixOf,
    parent,
    line: line + found.line,
    start: offset + found.start,
    end: offset + found.end,
    box: offset + found.box,
    fields,
  };
}
