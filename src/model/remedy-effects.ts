import * as z from "zod";
import { Directive, Repair } from "./directive.ts";
import { onTask } from "./effect-key.ts";
import { Escalation, StuckReason } from "./escalation.ts";
import { FailureDigest } from "./failure.ts";
import { Denial, RunLimits } from "./limits.ts";
import { PersonDecision } from "./person-event.ts";
import { Question, QuestionTopic } from "./question.ts";
import { Reply } from "./reply.ts";

/** What the remedies for a failed attempt ask for. */
export const remedyEffects = {
  /** A fix task for a failed attempt, written into the plan. */
  insertFix: {
    input: onTask.extend({
      /** The task that it repairs. */
      fixOf: z.string(),
      /** The fix task whose place it takes; null when it takes none. */
      supersedes: z.string().nullable(),
      /** What it is made for. */
      failure: FailureDigest,
      /** Fix tasks that were made for the task before. */
      made: z.int().min(0),
      scope: z.string().nullable(),
      limits: RunLimits,
    }),
    answer: z.discriminatedUnion("kind", [z.object({ kind: z.literal("inserted"), fix: z.string() }), Denial]),
  },
  /** The directive of a repair operator for a failed task. */
  askOperator: {
    input: onTask.extend({
      root: z.string(),
      /** Counted from 1: one that gave no directive that can be followed is asked once more. */
      round: z.int().min(1).max(2),
      /** Why its answer before could not be followed; null in the first round. */
      refusal: z.string().nullable(),
      /** Directives that may still be followed, that of this answer included. */
      budget: z.int().min(1),
      repairs: z.array(Repair),
      escalation: Escalation,
      maxEvidence: z.int().min(1),
      limits: RunLimits,
    }),
    answer: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("directed"), directive: Directive }),
      z.object({
        kind: z.literal("malformed"),
        reason: z.string(),
        /** When the operator can work again that could not, in milliseconds since 1970; null: not before a person helps. */
        until: z.number().nullable().optional(),
      }),
      Denial,
    ]),
  },
  /** The claims of the parts of a decomposed task, as one for the whole. */
  gatherParts: {
    input: onTask.extend({
      /** Their last attempts, in order. */
      parts: z.array(z.string()),
      /** How many others were left out. */
      leftOut: z.int().min(0),
      /** No Verify command will be run for the whole. */
      trustExecutor: z.boolean(),
    }),
    /** `reply`: as that of `delegate`, for the whole. */
    answer: z.object({ kind: z.literal("gathered"), reply: Reply.optional() }),
  },
  /** A task that is left out, written into the summary. */
  recordSkip: {
    input: onTask.extend({ root: z.string(), justification: z.string(), by: z.enum(["operator", "person"]) }),
    answer: z.object({
      kind: z.literal("skipped"),
      /** The planned task, or the fix of one, that the run goes on without; not given for a part. */
      skipped: z.object({ root: z.string(), justification: z.string() }).optional(),
    }),
  },
  /** The report of a checkpoint. */
  writeStuckReport: {
    input: onTask.extend({
      root: z.string(),
      escalation: Escalation,
      /** Why it is stuck; null: its remedies are used up. */
      stuck: StuckReason.nullable(),
      repairs: z.array(Repair),
      /** Fixes that were made in its tree. */
      fixes: z.array(z.string()),
      /** Where to, from the workspace; null: into the spec's folder. */
      path: z.string().nullable(),
    }),
    answer: z.object({ kind: z.literal("written"), path: z.string() }),
  },
  /** The decision of a person: what to do about a task that could not be repaired, or how to go on from a checkpoint. */
  askPerson: {
    input: onTask.extend({
      root: z.string(),
      about: QuestionTopic,
      /** What the executor asks, or what the trouble of the environment is; null where neither. */
      question: z.string().nullable(),
      /** Whether that is a prompt that was too long (not so when not given). */
      tooLong: z.boolean().optional(),
      escalation: Escalation,
      repairs: z.array(Repair),
      /** Where the report of the checkpoint lies; null without one. */
      report: z.string().nullable(),
    }),
    answer: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("decided"), decision: PersonDecision }),
      z.object({ kind: z.literal("guided"), text: z.string() }),
      Question,
    ]),
  },
} as const;
