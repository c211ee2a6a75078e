import type { Fate } from "./play-task.ts";

export interface ReferenceEnd {
  readonly outcome: "complete" | "limit";
  readonly delegated: readonly string[];
  readonly ticked: readonly string[];
}

/**
 * Model of the coordinator of the source system, without recovery mode. A failed or rejected attempt counts as an
 * iteration, and the run stops above the limit.
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
