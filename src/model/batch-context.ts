import * as z from "zod";
import { Member } from "./chosen.ts";
import { Policy } from "./policy.ts";
import { TaskOutcome } from "./task-outcome.ts";

/** What a batch keeps. Plain JSON. */
export const BatchContext = z.object({
  /** In the order of the plan. */
  members: z.array(Member),
  /** Number of the coordinator's turn. */
  turn: z.int().min(1),
  policy: Policy,
  /** No delegation begins. */
  paused: z.boolean(),
  /** Roots that are being worked on. */
  running: z.array(z.string()),
  /** In the order in which they came. */
  outcomes: z.array(TaskOutcome),
});
export type BatchContext = z.infer<typeof BatchContext>;
