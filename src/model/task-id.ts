/**
 * Dotted name of a task, e.g. `1.3`, `V4` or `T001`. A fix task appends one number to the id of the task it
 * repairs: `1.3.1` repairs `1.3`, `1.3.1.1` repairs `1.3.1`.
 */
export type TaskId = string;

/** The id of fix number `n` (from 1) of a task. */
export const fixId = (task: TaskId, n: number): TaskId => `${task}.${n}`;

/** Whether an id is that of a fix of a task. */
export const isFixOf = (id: TaskId, task: TaskId): boolean =>
  descendsFrom(id, task) && /^\d+$/.test(id.slice(task.length + 1));

/** Whether a task descends from another, by fixes of fixes. `1.10` does not descend from `1.1`. */
export const descendsFrom = (id: TaskId, ancestor: TaskId): boolean => id.startsWith(`${ancestor}.`);

/** The ids from `root` down to `current`, both included. `current` is `root` or descends from it. */
export function lineage(root: TaskId, current: TaskId): TaskId[] {
  const segments = current === root ? [] : current.slice(root.length + 1).split(".");
  return [root, ...segments.map((_, index) => [root, ...segments.slice(0, index + 1)].join("."))];
}

/** Generations of fixes between a root task and one of its tree: 0 for the root itself. */
export const depthBelow = (root: TaskId, current: TaskId): number => lineage(root, current).length - 1;

/** The task that a fix task repairs, within the tree of `root`; null for the root. */
export const repairedBy = (root: TaskId, current: TaskId): TaskId | null => lineage(root, current).at(-2) ?? null;
