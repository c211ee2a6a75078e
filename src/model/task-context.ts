import * as z from "zod";
import { Considered } from "./considered.ts";
import { Repair } from "./directive.ts";
import { Escalation, Level, StuckReason } from "./escalation.ts";
import { FailureDigest } from "./failure.ts";
import { SpentByTask } from "./ledger.ts";
import { Denial } from "./limits.ts";
import { Policy } from "./policy.ts";
import { Rung } from "./rung.ts";
import { Layer } from "./verdict.ts";

/** Why a claim was not in order. */
export const Rejection = z.object({ layer: Layer, reason: z.string() });
export type Rejection = z.infer<typeof Rejection>;

/** A task that is gone on without: the planned task, or a fix or a part below it. */
export const LeftOut = z.object({
  task: z.string(),
  justification: z.string(),
  /** Who has decided it. */
  by: z.enum(["operator", "person"]),
});
export type LeftOut = z.infer<typeof LeftOut>;

/** The next move after an attempt that was not accepted: a remedy, a question to a person, or none. */
export const Decision = z.union([
  z.object({ kind: z.enum([...Rung.options, "gate"]) }),
  z.object({ kind: z.literal("exhausted"), denial: Denial }),
]);
export type Decision = z.infer<typeof Decision>;

/** A decision, and all that was looked at for it. */
export const Deliberation = z.object({
  decision: Decision,
  /** Why it counts as stuck; null when it does not. */
  stuck: StuckReason.nullable(),
  considered: z.array(Considered),
});
export type Deliberation = z.infer<typeof Deliberation>;

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
  /** The level of being stuck that the last attempt counts at; normal when it counts at none. */
  attemptLevel: Level,
  /** What a person has advised; null when nobody has. */
  guidance: z.string().nullable(),
  /** No delegation begins. */
  paused: z.boolean(),
  /** What was tried last for a failed or rejected attempt; null before that. */
  remedy: Rung.nullable(),
  /** What was decided after the last attempt that was not accepted; null before that. */
  decided: Deliberation.nullable(),
  /** Directives of the repair operator that were followed, oldest first. */
  repairs: z.array(Repair),
  /** What was left out, oldest first. */
  leftOut: z.array(LeftOut),
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
