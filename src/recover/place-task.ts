import type { Task } from "../model/task.ts";
import type { TaskId } from "../model/task-id.ts";

type Placed = Pick<Task, "id" | "fixOf" | "parent">;

/** The task behind which another of the run is written: the last of its phase, else of the plan; null without any. */
export function placeFor(tasks: readonly Placed[], phase: readonly TaskId[]): TaskId | null {
  const roots = tasks.filter(({ fixOf, parent }) => fixOf === null && parent === null).map(({ id }) => id);
  return roots.findLast((id) => phase.includes(id)) ?? roots.at(-1) ?? null;
}

/** An id that no task has: the highest in the phase of the task beside it, and one more. */
export function freeId(tasks: readonly Placed[], beside: TaskId): TaskId {
  const phase = /^(\d+)\.\d+$/.exec(beside)?.[1];
  const prefix = phase === undefined ? "PR" : `${phase}.`;
  const numbers = tasks.flatMap(({ id }) => {
    const rest = id.startsWith(prefix) ? id.slice(prefix.length) : "";
    return /^\d+$/.test(rest) ? [Number(rest)] : [];
  });
  return `${prefix}${Math.max(0, ...numbers) + 1}`;
}
