import { partsOf, repairsOn, type SpentByTask } from "../model/ledger.ts";
import { wholeOf } from "../model/part-id.ts";
import type { TaskId } from "../model/task-id.ts";
import { lineageIn } from "./check-limit.ts";

/**
 * Directives of the repair operator that may still be followed for a task. A planned task and its fixes share one
 * budget; each part of a decomposed task has what was left for the whole, which has nothing itself from then on.
 *
 * @param budget That of a planned task.
 */
export const repairsLeft = (spent: SpentByTask, budget: number, root: TaskId, task: TaskId): number =>
  partsOf(spent, task).length > 0 ? 0 : remaining(spent, budget, root, task);

/** The task that the directives for a task are counted on. */
export const budgetHolder = (root: TaskId, task: TaskId): TaskId => (wholeOf(task) === null ? root : task);

function remaining(spent: SpentByTask, budget: number, root: TaskId, task: TaskId): number {
  const whole = wholeOf(task);
  const given = whole === null ? budget : remaining(spent, budget, root, whole);
  return Math.max(0, given - repairsOn(spent, budgetHolder(lineageIn(spent, root)[0], task)));
}
