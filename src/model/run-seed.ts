import * as z from "zod";
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

export const noSeed: RunSeed = RunSeed.parse({ iterations: 0, tasks: {} });

/** What two records of the same run say together: of each count the higher one, and all fix tasks. */
export function higherSeed(a: RunSeed, b: RunSeed): RunSeed {
  const tasks = { ...a.tasks };
  for (const [task, spent] of Object.entries(b.tasks)) {
    const known = spentOn(tasks, task);
    tasks[task] = {
      ...spent,
      ...known,
      attempts: Math.max(known.attempts, spent.attempts),
      retries: Math.max(known.retries, spent.retries),
      fixes: [...new Set([...known.fixes, ...spent.fixes])],
    };
  }
  const changes = { ...a.changes };
  for (const [task, count] of Object.entries(b.changes)) changes[task] = Math.max(changes[task] ?? 0, count);
  return {
    iterations: Math.max(a.iterations, b.iterations),
    tasks,
    changes,
    elapsedMs: Math.max(a.elapsedMs, b.elapsedMs),
    costUsd: Math.max(a.costUsd, b.costUsd),
    tokens: Math.max(a.tokens, b.tokens),
  };
}
