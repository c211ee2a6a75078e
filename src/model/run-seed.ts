import { z } from "zod";
import { SpentByTask } from "./ledger.ts";

/** What had been spent before its first record, of a run that was taken over from another system. */
export const RunSeed = z.object({
  /** Delegations. */
  iterations: z.int().min(0),
  tasks: SpentByTask,
  /** Changes of the plan, by the task that asked for them. */
  changes: z.record(z.string(), z.int().min(0)).default({}),
});
export type RunSeed = z.infer<typeof RunSeed>;

export const noSeed: RunSeed = { iterations: 0, tasks: {}, changes: {} };
