import * as z from "zod";
import { Escalation } from "./escalation.ts";
import { Policy } from "./policy.ts";

/** What the escalation machine keeps. Plain JSON. */
export const EscalationContext = z.object({
  /** The task that is worked on; empty when it was not named. */
  task: z.string(),
  /** Its ladder has rungs for being stuck only, with a checkpoint as the last. */
  policy: Policy,
  escalation: Escalation,
  /** What a person has advised; null when nobody has. */
  guidance: z.string().nullable(),
});
export type EscalationContext = z.infer<typeof EscalationContext>;
