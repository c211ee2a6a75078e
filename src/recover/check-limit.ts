import { fixesSinceProgress, type Ledger, repairs, type SpentByTask, spentOn } from "../model/ledger.ts";
import type { Denial, Limit } from "../model/limits.ts";
import type { Policy } from "../model/policy.ts";
import { lineageOf, type TaskId } from "../model/task-id.ts";
import { checkBudget } from "./check-budget.ts";

/**
 * Whether there may be another fix task of a task: null, or the first limit that says no, asked in the order
 * original, depth, root, run. Fix tasks of the original count since its tree last made progress.
 *
 * @see docs/limits.md
 */
export function checkLimit(ledger: Ledger, taskId: TaskId, policy: Policy): Denial | null {
  const { tasks } = ledger;
  const [root, ...generations] = lineageIn(tasks, taskId);
  const limits: readonly (readonly [Limit, TaskId, number, number])[] = [
    ["maxFixTasksPerOriginal", taskId, fixesSinceProgress(tasks, taskId), policy.maxFixTasksPerOriginal],
    ["maxFixTaskDepth", taskId, generations.length, policy.maxFixTaskDepth],
    ["maxFixTasksPerRoot", root, fixesBelow(tasks, root).length, policy.maxFixTasksPerRoot],
  ];
  for (const [limit, task, spent, max] of limits) {
    if (spent >= max) return { kind: "denied", limit, task, max };
  }
  return checkBudget(ledger, policy);
}

/**
 * The tasks from the root of a tree down to one of it, as the fixes were made and not as their ids read: a plan may
 * give a planned task an id that looks like a fix.
 */
export const lineageIn = (spent: SpentByTask, task: TaskId): [root: TaskId, ...below: TaskId[]] =>
  lineageOf(task, (fix) => repairs(spent, fix));

/** All fix tasks in the tree of a task, each before its own. */
export function fixesBelow(spent: SpentByTask, task: TaskId): TaskId[] {
  const ids = new Set<TaskId>([task]);
  const collect = (parent: TaskId): void => {
    for (const fix of spentOn(spent, parent).fixes.filter((id) => !ids.has(id))) {
      ids.add(fix);
      collect(fix);
    }
  };
  collect(task);
  return [...ids].slice(1);
}
