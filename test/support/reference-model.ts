import type { Fate } from "./play-task.ts";

/** The end of a run that only retries. */
export interface ReferenceEnd {
  readonly outcome: "complete" | "limit";
  readonly delegated: readonly string[];
  readonly ticked: readonly string[];
}

/**
 * A model of the source system's coordinator without recovery mode, as the text of that system describes it: tasks in
 * sequence, each delegated until its claim is accepted. A failed or rejected attempt counts as one more iteration of
 * the task, and the run stops above the limit.
 */
export function retryThenStop(
  tasks: readonly string[],
  fates: readonly Fate[],
  { maxTaskIterations, maxGlobalIterations }: { maxTaskIterations: number; maxGlobalIterations: number },
): ReferenceEnd {
  const left = [...fates];
  const delegated: string[] = [];
  const ticked: string[] = [];
  for (const task of tasks) {
    let taskIteration = 1;
    while (!ticked.includes(task)) {
      if (taskIteration > maxTaskIterations) return { outcome: "limit", delegated, ticked };
      if (delegated.length >= maxGlobalIterations) return { outcome: "limit", delegated, ticked };
      delegated.push(task);
      if ((left.shift() ?? "accepted") === "accepted") ticked.push(task);
      else taskIteration += 1;
    }
  }
  return { outcome: "complete", delegated, ticked };
}
