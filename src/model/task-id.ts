/**
 * Dotted name of a task, e.g. `1.3`, `V4` or `T001`. A fix task appends one number to the id of the task it
 * repairs: `1.3.1` repairs `1.3`, `1.3.1.1` repairs `1.3.1`. A part of a decomposed task appends `~` and a number, as
 * in `1.3~2`: parts stand in no plan, and `~` is in no id of one.
 */
export type TaskId = string;

/** The id of fix number `n` (from 1) of a task. */
export const fixId = (task: TaskId, n: number): TaskId => `${task}.${n}`;

/** Which of the fixes of its task a fix is, from 1, by its id. */
export const fixNumber = (fix: TaskId): number => Number(fix.slice(fix.lastIndexOf(".") + 1));

/** Whether an id is that of a fix of a task. */
export const isFixOf = (id: TaskId, task: TaskId): boolean =>
  descendsFrom(id, task) && /^\d+$/.test(id.slice(task.length + 1));

/** Whether a task descends from another, by fixes of fixes. `1.10` does not descend from `1.1`. */
export const descendsFrom = (id: TaskId, ancestor: TaskId): boolean => id.startsWith(`${ancestor}.`);

/**
 * The task that a fix repairs, by its id; null for an id without a dot. A planned task may have an id that reads like
 * that of a fix: what is recorded, or marked in the plan, says which it is.
 */
export const repairedBy = (fix: TaskId): TaskId | null => before(fix, fix.lastIndexOf("."));

/** The id of part number `n` (from 1) of a decomposed task. */
export const partId = (whole: TaskId, n: number): TaskId => `${whole}~${n}`;

/** Which of the parts of its task a part is, from 1. */
export const partNumber = (part: TaskId): number => Number(part.slice(part.lastIndexOf("~") + 1));

/** Whether a task is a part of another, or a part of a part of it. */
export const isPartOf = (id: TaskId, task: TaskId): boolean => id.startsWith(`${task}~`);

/** The task that a part belongs to; null for a task that is no part. */
export const wholeOf = (task: TaskId): TaskId | null => before(task, task.lastIndexOf("~"));

/** The task of the plan that a part, or a part of a part, was made from; the task itself when it is no part. */
export const plannedTask = (task: TaskId): TaskId => before(task, task.indexOf("~")) ?? task;

const before = (id: TaskId, cut: number): TaskId | null => (cut === -1 ? null : id.slice(0, cut));

/** The task that a fix was made for, as recorded or as marked in the plan; none for a task that is nobody's fix. */
export type Repaired = (fix: TaskId) => TaskId | null | undefined;

/** The task that another was made for, as its part or as its fix; null for a planned task. */
export const parentOf = (task: TaskId, repaired: Repaired): TaskId | null => wholeOf(task) ?? repaired(task) ?? null;

/** A task below all that it was made for, from the root of its tree. Foreign fixes may run in a circle: it ends there. */
export function lineageOf(task: TaskId, repaired: Repaired): [root: TaskId, ...below: TaskId[]] {
  const ids: [TaskId, ...TaskId[]] = [task];
  for (let parent = parentOf(task, repaired); parent !== null && !ids.includes(parent); ) {
    ids.unshift(parent);
    parent = parentOf(parent, repaired);
  }
  return ids;
}
