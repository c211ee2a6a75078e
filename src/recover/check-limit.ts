import { fixesSinceProgress, type Ledger, repairs, type SpentByTask, spentOn } from "../model/ledger.ts";
import { type Denial, globalCap, type Limit, type RunLimits } from "../model/limits.ts";
import type { Policy } from "../model/policy.ts";
import { lineageOf, type TaskId } from "../model/task.ts";

/**
 * The run limit that denies one more delegation; null if no limit denies it. The denial names no task.
 *
 * @see docs/limits.md
 */
export function checkBudget(ledger: Ledger, policy: RunLimits): Denial | null {
  const limits: readonly (readonly [Limit, number, number | null])[] = [
    ["maxGlobalIterations", ledger.iterations, globalCap(policy, ledger.open)],
    ["maxRunTime", ledger.elapsedMs, policy.maxRunTime],
    ["maxCost", ledger.costUsd, policy.maxCost],
    ["maxTokens", ledger.tokens, policy.maxTokens],
  ];
  for (const [limit, spent, max] of limits) {
    if (max !== null && spent >= max) return { kind: "denied", limit, task: "", max };
  }
  return null;
}

/**
 * The first reached limit that forbids another fix task for a task, in the order original, depth, root, run; null if no
 * limit is reached. The limit of the original counts only fix tasks since the last progress of the tree.
 *
 * @see docs/limits.md
 */
export function checkLimit(ledger: Ledger, taskId: TaskId, policy: Policy): Denial | null {
  const { limit, task, isReached } = fixLimit(ledger.tasks, taskId, policy);
  return isReached ? { kind: "denied", limit, task, max: policy[limit] } : checkBudget(ledger, policy);
}

interface FixLimit {
  readonly limit: "maxFixTasksPerOriginal" | "maxFixTaskDepth" | "maxFixTasksPerRoot";
  readonly task: TaskId;
  readonly spent: number;
  readonly isReached: boolean;
}

/** The first reached limit on fix tasks of a task; `maxFixTasksPerOriginal` if none is reached. */
export function fixLimit(tasks: SpentByTask, taskId: TaskId, policy: Pick<Policy, FixLimit["limit"]>): FixLimit {
  const [root, ...generations] = lineageIn(tasks, taskId);
  const count = (limit: FixLimit["limit"], task: TaskId, spent: number): FixLimit => {
    return { limit, task, spent, isReached: spent >= policy[limit] };
  };
  const ofOriginal = count("maxFixTasksPerOriginal", taskId, fixesSinceProgress(tasks, taskId));
  const others = [
    count("maxFixTaskDepth", taskId, generations.length),
    count("maxFixTasksPerRoot", root, fixesBelow(tasks, root).length),
  ];
  return [ofOriginal, ...others].find(({ isReached }) => isReached) ?? ofOriginal;
}

/**
 * The tasks from the root of a tree down to one of its tasks. Follows recorded fixes, not ids: a planned task may have
 * an id that looks like the id of a fix.
 */
export const lineageIn = (spent: SpentByTask, task: TaskId): [root: TaskId, ...below: TaskId[]] =>
  lineageOf(task, (fix) => repairs(spent, fix));

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
