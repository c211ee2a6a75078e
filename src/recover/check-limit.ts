import { fixesSinceProgress, type Ledger, repairs, type SpentByTask, spentOn } from "../model/ledger.ts";
import { type Denial, globalCap, type Limit, type RunLimits } from "../model/limits.ts";
import type { Policy } from "../model/policy.ts";
import { lineageOf, type TaskId } from "../model/task.ts";

/**
 * Whether the run may have one more delegation: null, or the limit of the whole run that says no. The denial names
 * no task.
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
 * Whether there may be another fix task of a task: null, or the first limit that says no, asked in the order
 * original, depth, root, run. Fix tasks of the original count since its tree last made progress.
 *
 * @see docs/limits.md
 */
export function checkLimit(ledger: Ledger, taskId: TaskId, policy: Policy): Denial | null {
  const { limit, task, isReached } = fixLimit(ledger.tasks, taskId, policy);
  return isReached ? { kind: "denied", limit, task, max: policy[limit] } : checkBudget(ledger, policy);
}

/** What counts for a limit of fix tasks, and whether that is used up. */
interface FixLimit {
  readonly limit: "maxFixTasksPerOriginal" | "maxFixTaskDepth" | "maxFixTasksPerRoot";
  readonly task: TaskId;
  readonly spent: number;
  readonly isReached: boolean;
}

/** The first limit on another fix task of a task that is reached; else that of its original. */
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
