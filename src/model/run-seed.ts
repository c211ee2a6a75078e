import * as z from "zod";
import { interpreted } from "./interpreted.ts";
import { SpentByTask, spentOn } from "./ledger.ts";

/** What had been spent before its first record, of a run that was taken over or whose run data was lost. */
export const RunSeed = z.object({
  /** Delegations. */
  iterations: z.int().min(0),
  tasks: SpentByTask,
  /** Changes of the plan, by the task that asked for them. */
  changes: z.record(z.string(), z.int().min(0)).default({}),
  /** Working time in milliseconds. */
  elapsedMs: z.number().min(0).default(0),
  costUsd: z.number().min(0).default(0),
  tokens: z.int().min(0).default(0),
});
export type RunSeed = z.infer<typeof RunSeed>;

export const noSeed: RunSeed = RunSeed.parse({ iterations: 0, tasks: {} }, interpreted);

/** What records of the same run say together: of each count the highest one, and all fix tasks. */
export function highestSeed(seeds: readonly RunSeed[]): RunSeed {
  const tasks: RunSeed["tasks"] = {};
  const changes: RunSeed["changes"] = {};
  const highest = { ...noSeed, tasks, changes };
  for (const seed of seeds) {
    for (const [task, spent] of Object.entries(seed.tasks)) {
      const known = spentOn(tasks, task);
      tasks[task] = {
        ...spent,
        ...known,
        attempts: Math.max(known.attempts, spent.attempts),
        retries: Math.max(known.retries, spent.retries),
        fixes: [...new Set([...known.fixes, ...spent.fixes])],
      };
    }
    for (const [task, count] of Object.entries(seed.changes)) changes[task] = Math.max(changes[task] ?? 0, count);
    for (const name of counts) highest[name] = Math.max(highest[name], seed[name]);
  }
  return highest;
}

const counts = ["iterations", "elapsedMs", "costUsd", "tokens"] as const;
