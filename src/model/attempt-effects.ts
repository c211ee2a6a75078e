import * as z from "zod";
import { RedCheck } from "./check-run.ts";
import { Repair } from "./directive.ts";
import { Climb, Escalation, Tried } from "./escalation.ts";
import { Layer, Proof } from "./evidence.ts";
import { FailureDigest, FailureKind, FailureLeft } from "./failure.ts";
import { Denial, RepairLimits, RunLimits } from "./limits.ts";
import { Question } from "./person-event.ts";
import { CommitChoice, Policy } from "./policy.ts";
import { ChangeType, DeniedAct, PermissionLevel, Raced, Reply } from "./reply.ts";
import { onTask } from "./run-effects.ts";
import { Rung } from "./rung.ts";

const Guard = z.enum(["reject", "warn", "off"]);

/** In a race: the number of the winning attempt, and the name of the content with its work. */
const taken = { attempt: z.int().optional(), content: z.string().nullable().optional() };

/** How a claim is judged. */
const Judging = z.object({
  /** Skip the Verify command. */
  trustExecutor: z.boolean(),
  requireExecutorTick: z.boolean(),
  requireCommit: z.boolean(),
  timeoutMs: z.int().min(1),
  /** Number of reviews of its result so far. */
  reviews: z.int().min(0),
  /** What to do about checks that were red before the run; `repair` if not given. */
  knownFailures: z.enum(["ask", "ignore", "repair"]).optional(),
  /** What to do about changes to the proof of its task; `off` if not given. */
  guard: Guard.optional(),
  /** Whether the previous claim was rejected for changes to its proof: a person is asked next time. */
  guarded: z.boolean().optional(),
  /** Whether other batch members work at the same time. */
  grouped: z.boolean().optional(),
  /** Number of rejected claims in a row before this one; none if not given. */
  rejections: z.int().min(1).optional(),
  /** The rules that judge it; `evidence` if not given. */
  rules: Policy.shape.rules.unwrap().optional(),
  /** Whether a pull request includes it; `all`: leftovers are committed too. */
  ships: z.enum(["own", "all"]).optional(),
});

/** Effects of one attempt at a task, from its delegation to its verdict. */
export const attemptEffects = {
  /** One delegation of one task, admitted and recorded before it starts. */
  delegate: {
    input: onTask.extend({
      root: z.string(),
      attempt: z.int().min(1),
      retries: z.int().min(0),
      requireExecutorTick: z.boolean(),
      limits: RunLimits,
      /** Whether others work at the same time, so that it has a progress log of its own. */
      grouped: z.boolean(),
      /** Stuck level of the attempt; null if not stuck. */
      climb: Climb.nullable(),
      /** Attempts and findings so far, with evidence of the last failed attempt in its tree. */
      escalation: Escalation,
      /** Whether the policy has a rung for being stuck. */
      escalates: z.boolean(),
      /** The rung that led to this attempt, or the higher rung that made its fix or part; null for a first attempt. */
      remedy: Rung.nullable(),
      /** Maximum length of failure evidence in a prompt, in characters. */
      maxEvidence: z.int().min(1),
      /** Adjustment by the repair operator; null if it was not asked. */
      adjustment: z.string().nullable(),
      /** A person's guidance; null if there is none. */
      guidance: z.string().nullable(),
      /** Number of attempts in its tree with too long a prompt (none if not given); each one shortens this prompt. */
      tooLong: z.int().min(0).optional(),
      /** What its tool may do; `tool` if not given. */
      permissions: PermissionLevel.optional(),
      /** Whether fixpoint commits its changes after it is accepted. */
      committed: z.boolean().optional(),
      /** Time limit of its Verify before the work, in milliseconds; null or not given if that is not run. */
      verifyBefore: z.int().min(1).nullable().optional(),
      /** What to do about changes to the proof of its task; `off` if not given. */
      guard: Guard.optional(),
      /** Whether to restore the files to their state before the first attempt at its task; no if not given. */
      fresh: z.boolean().optional(),
      /**
       * A race of so many attempts, numbered from its own number; a single attempt if not given. `judging`: how to
       * judge their claims; the winner's is judged again.
       */
      race: z.object({ of: z.int().min(2), judging: Judging }).optional(),
      /** Tasks that begin together in a batch, itself included: all their baseline runs come first. */
      members: z.array(z.string()).optional(),
    }),
    answer: z.discriminatedUnion("kind", [
      /** `reply`: from an actor that was provided; our own executors record it beside the answer. */
      z.object({ kind: z.literal("replied"), reply: Reply.optional(), ...taken }),
      /** The result of one racer, under a key of its own: not the answer yet. `tried`: if it failed. */
      z.object({ kind: z.literal("raced"), outcome: Raced, content: z.string().nullable(), tried: Tried.optional() }),
      /** Its Verify was red before the work and is green now, so it is not delegated again. */
      z.object({ kind: z.literal("done"), proof: Proof }),
      /** The reply requests a plan change. */
      z.object({ kind: z.literal("requested"), reply: Reply.optional(), ...taken }),
      Denial,
    ]),
  },
  /** Check an executor's requested tasks, and write them into the plan. */
  changePlan: {
    input: onTask.extend({ root: z.string() }),
    answer: z.discriminatedUnion("kind", [
      /** Other tasks come first. */
      z.object({ kind: z.literal("replanned"), change: ChangeType, added: z.array(z.string()) }),
      /** Tasks were added after it; the claim is still to be judged. */
      z.object({ kind: z.literal("extended"), change: ChangeType, added: z.array(z.string()) }),
      z.object({ kind: z.literal("refused"), reason: z.string() }),
      Question,
    ]),
  },
  /** The verdict on the claim of an attempt. */
  verify: {
    input: onTask.extend(Judging.shape),
    answer: z.discriminatedUnion("kind", [
      z.object({
        kind: z.literal("accepted"),
        reviewDue: z.boolean().optional(),
        /** The proof that it is done; no command ran if not given. */
        proof: Proof.optional(),
        /** Files of a `[RED]` task: their checks should fail until the next `[GREEN]` task is done. */
        given: z.array(z.string()).optional(),
        /** Names of checks that were red before the run and are ignored. */
        excused: z.array(RedCheck.pick({ name: true, id: true })).optional(),
        /** Workspace content afterwards, if a command checks it later; null if unknown. */
        content: z.string().nullable().optional(),
        /** What still fails after an accepted fix for something else; nothing if not given. */
        left: FailureLeft.optional(),
      }),
      /** The executor must ask a person first: no attempt is spent. */
      z.object({
        kind: z.literal("blocked"),
        question: z.string(),
        /** If it concerns changes to the proof: hashes of the bytes that a person may accept. */
        covers: z.array(z.string()).optional(),
      }),
      z.object({
        kind: z.literal("rejected"),
        layer: Layer,
        reason: z.string(),
        /** Whether its tool denied an act: that is read before the claim counts. */
        withheld: z.boolean().optional(),
      }),
      z.object({ kind: z.literal("failed"), layer: Layer, reason: z.string() }),
      Question,
    ]),
  },
  /** Review the work of an accepted attempt. */
  review: {
    input: onTask.extend({ round: z.int().min(1), limits: RunLimits }),
    answer: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("accepted"), passed: z.boolean(), findings: z.string() }),
      z.object({ kind: z.literal("failed"), findings: z.string() }),
      Denial,
      Question,
    ]),
  },
  /** Read why an attempt failed. */
  readFailure: {
    input: onTask.extend({
      waits: z.int().min(0),
      /** Whether to look for signs of being stuck. */
      watch: z.boolean(),
      /** Reason and start of the last wait; null if there was none, or its duration was given. */
      waiting: z.object({ reason: FailureKind, since: z.number() }).nullable().optional(),
      /** Maximum duration of that wait; no limit if null or not given. */
      maxWait: z.int().min(1).nullable().optional(),
      /** Number of attempts in its tree with too long a prompt; none if not given. */
      tooLong: z.int().min(0).optional(),
      /** The rung that led to the attempt; null or not given for a first attempt. */
      rung: Rung.nullable().optional(),
    }),
    answer: FailureDigest,
  },
  /** Wait for the time when an executor can work again, or for the person it needs. */
  wait: {
    input: onTask.extend({
      reason: FailureKind,
      error: z.string(),
      until: z.number().nullable(),
      /** Start of the wait, if it has taken too long; null or not given otherwise. */
      since: z.number().nullable().optional(),
      /** The rung that led to the attempt; null or not given for a first attempt. */
      rung: Rung.nullable().optional(),
      /** The act that its tool denied; not given for other reasons. */
      denied: DeniedAct.optional(),
    }),
    answer: z.discriminatedUnion("kind", [z.object({ kind: z.literal("waited") }), Question]),
  },
  /** Tick an accepted task, and log it in the progress log. */
  recordPass: {
    input: onTask.extend({
      fixes: z.array(z.string()),
      /** Whether its log lines are written at the end of its batch. */
      grouped: z.boolean(),
      /** Whether its box stays open because it is to be done again. */
      keepOpen: z.boolean(),
      /** Commit the spec's files. */
      commit: CommitChoice,
      /** The repair that led to it, for the summary; null if there is none. */
      repair: Repair.nullable(),
      /** Number of its skipped parts. */
      leftOut: z.int().min(0),
      /** The proof that it is done. */
      proof: Proof,
      /** Write a fix task for red checks from before the run, within these limits. */
      repairKnown: RepairLimits.optional(),
    }),
    answer: z.object({
      kind: z.literal("recorded"),
      /** The fix task for checks that were red before the run. */
      fix: z.string().optional(),
      /** Abbreviated hash of HEAD if the attempt moved it. */
      commit: z.string().nullable().optional(),
      /** Whether its lines in the progress log are still to be written. */
      grouped: z.boolean().optional(),
      /** Whether its box was left open. */
      open: z.boolean().optional(),
      proof: Proof.optional(),
      /** Whether its box and log lines are not flushed yet. */
      pending: z.boolean().optional(),
    }),
  },
} as const;
