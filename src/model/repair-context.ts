import * as z from "zod";
import { Repair } from "./directive.ts";
import { Escalation } from "./escalation.ts";
import { RunLimits } from "./limits.ts";

/** What the repair machine keeps. Plain JSON. */
export const RepairContext = z.object({
  /** The task that failed, and the planned task it belongs to. */
  task: z.string(),
  root: z.string(),
  /** The attempt that failed. */
  attempt: z.string(),
  /** Directives that may still be followed. */
  budget: z.int().min(0),
  repairs: z.array(Repair),
  /** What the planned task has been through, and what its last attempt has left to look at. */
  escalation: Escalation,
  /** How long the evidence of a failure may be in a prompt, in characters. */
  maxEvidence: z.int().min(1),
  limits: RunLimits,
  /** Why the operator's last answer cannot be followed; null when there was none such. */
  refusal: z.string().nullable(),
});
export type RepairContext = z.infer<typeof RepairContext>;
