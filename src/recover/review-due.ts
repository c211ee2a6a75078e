import type { Plan } from "../model/plan.ts";
import type { TaskId } from "../model/task-id.ts";

/** Every which planned task is reviewed. */
const interval = 5;

/**
 * Whether the result of a task that is about to be accepted is to be reviewed. It is when the task is planned, and
 * the first of a phase behind another, or one of every five, or the last that is open.
 *
 * `plan` has the boxes as they are before or after the task is ticked.
 */
export function reviewDue({ plan, task }: { readonly plan: Pick<Plan, "tasks">; readonly task: TaskId }): boolean {
  const planned = plan.tasks.filter(({ fixOf }) => fixOf === null);
  const index = planned.findIndex(({ id }) => id === task);
  const before = planned[index - 1];
  if (index < 0) return false;
  const changesPhase = before !== undefined && before.phase !== planned[index]?.phase;
  return changesPhase || (index + 1) % interval === 0 || planned.every(({ id, done }) => done || id === task);
}
