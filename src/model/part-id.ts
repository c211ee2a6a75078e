import type { TaskId } from "./task-id.ts";

/** The id of part number `n` (from 1) of a decomposed task. Parts stand in no plan: `~` is in no id of one. */
export const partId = (whole: TaskId, n: number): TaskId => `${whole}~${n}`;

/** The task that a part belongs to; null for a task that is no part. */
export const wholeOf = (task: TaskId): TaskId | null => {
  const cut = task.lastIndexOf("~");
  return cut === -1 ? null : task.slice(0, cut);
};

/** Which of the parts of its task a part is, from 1. */
export const partNumber = (part: TaskId): number => Number(part.slice(part.lastIndexOf("~") + 1));

/** The task of the plan that a part, or a part of a part, was made from; the task itself when it is no part. */
export const plannedTask = (task: TaskId): TaskId => {
  const cut = task.indexOf("~");
  return cut === -1 ? task : task.slice(0, cut);
};
