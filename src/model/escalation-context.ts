import * as z from "zod";
import { Escalation } from "./escalation.ts";
import { Policy } from "./policy.ts";

/** Context of the escalation machine. Plain JSON. */
export const EscalationContext = z.object({
  /** Current task; empty if the embedder gave no name. */
  task: z.string(),
  /** The ladder has only rungs for stuck tasks; its last rung is a checkpoint. */
  policy: Policy,
  escalation: Escalation,
  /** A person's guidance; null if there is none. */
  guidance: z.string().nullable(),
});
export type EscalationContext = z.infer<typeof EscalationContext>;
