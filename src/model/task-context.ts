import { z } from "zod";
import { Repair } from "./directive.ts";
import { Escalation } from "./escalation.ts";
import { FailureDigest } from "./failure.ts";
import { SpentByTask } from "./ledger.ts";
import { Policy } from "./policy.ts";
import { Rung } from "./rung.ts";
import { Layer } from "./verdict.ts";

/** Why a claim was not in order. */
export const Rejection = z.object({ layer: Layer, reason: z.string() });
export type Rejection = z.infer<typeof Rejection>;

/** What the task machine keeps, and all that a decision is made from. Plain JSON. */
export const TaskContext = z.object({
  /** The planned task that is being finished. */
  root: z.string(),
  /** The task of its tree that is up: the root, or a fix below it. */
  current: z.string(),
  /** What each task of the tree has spent. */
  spent: SpentByTask,
  policy: Policy,
  /** Others are worked on beside it. */
  grouped: z.boolean(),
  /** Its box stays open when it is done. */
  keepOpen: z.boolean(),
  /** How stuck it is, and what it has been through. */
  escalation: Escalation,
  /** What a person has advised; null when nobody has. */
  guidance: z.string().nullable(),
  /** No delegation begins. */
  paused: z.boolean(),
  /** What was tried last for a failed or rejected attempt; null before that. */
  remedy: Rung.nullable(),
  /** Directives of the repair operator that were followed, oldest first. */
  repairs: z.array(Repair),
  /** What a person is to be asked beside the usual; null while nothing of that kind is. */
  question: z.object({ about: z.enum(["blocked", "environment"]), text: z.string() }).nullable(),
  /** No command has shown that the current task is done, though its claim was accepted. */
  unverified: z.boolean(),
  /** What the last attempt on the current task failed with; null when its claim was rejected, or before that. */
  failure: FailureDigest.nullable(),
  /** Why the last claim on the current task was rejected; null when it was not. */
  rejection: Rejection.nullable(),
});
export type TaskContext = z.infer<typeof TaskContext>;
