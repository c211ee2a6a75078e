import { compareSets } from "../model/failure-set.ts";
import { repairs, spentOn } from "../model/ledger.ts";
import type { TaskContext } from "../model/task-context.ts";
import type { TaskId } from "../model/task-id.ts";

/** The task that the next fix is made for, and the fix task whose place it takes; null when it takes none. */
export interface FixPlace {
  readonly task: TaskId;
  readonly supersedes: TaskId | null;
}

/**
 * Where the next fix task belongs. One for a planned task is made for that. A fix task that failed with what it was made
 * for, or with a part of that, has not helped enough: another one takes its place, beside it. Only for what the fix has
 * brought itself is there a fix below it.
 */
export function fixFor({
  current,
  spent,
  failure,
}: Pick<TaskContext, "root" | "current" | "spent" | "failure">): FixPlace {
  const repaired = repairs(spent, current);
  const { madeFor } = spentOn(spent, current);
  if (repaired === undefined || madeFor === undefined || failure === null) return { task: current, supersedes: null };
  const isOld =
    madeFor.failing !== undefined && failure.failing !== undefined
      ? compareSets(madeFor.failing, failure.failing) !== "moved"
      : madeFor.fingerprint === failure.fingerprint;
  return isOld ? { task: repaired, supersedes: current } : { task: current, supersedes: null };
}
