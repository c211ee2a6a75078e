import { z } from "zod";
import { SpentByTask } from "./ledger.ts";
import { Policy } from "./policy.ts";

/** What the coordinator keeps. The plan is not among it: it is read where it is needed. Plain JSON. */
export const SpecContext = z.object({
  policy: Policy,
  /** Times a task was chosen. */
  turn: z.int().min(0),
  /** The task that is being finished, where in its tree to go on, and what that tree has spent. */
  chosen: z.object({ root: z.string(), current: z.string(), spent: SpentByTask }).nullable(),
});
export type SpecContext = z.infer<typeof SpecContext>;
