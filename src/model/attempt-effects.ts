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

/** In a race: the number of the winning attempt, and the name of the workspace content with its changes. */
const taken = { attempt: z.int().optional(), content: z.string().nullable().optional() };

/** Options for judging a claim. */
const Judging = z.object({
  /** Skip the Verify command. */
  trustExecutor: z.boolean(),
  requireExecutorTick: z.boolean(),
  requireCommit: z.boolean(),
  timeoutMs: z.int().min(1),
  /** Number of reviews of the task's result so far. */
  reviews: z.int().min(0),
  /** Handling of checks that were red before the run; `repair` if not given. */
  knownFailures: z.enum(["ask", "ignore", "repair"]).optional(),
  /** Handling of changes to the task's proof; `off` if not given. */
  guard: Guard.optional(),
  /** Whether the previous claim was rejected for changes to the task's proof. If so, a person is asked. */
  guarded: z.boolean().optional(),
  /** Whether other batch members work at the same time. */
  grouped: z.boolean().optional(),
  /** Number of rejected claims in a row before this one; 0 if not given. */
  rejections: z.int().min(1).optional(),
  /** The rules that judge the claim; `evidence` if not given. */
  rules: Policy.shape.rules.unwrap().optional(),
  /**
   * Which changes the executor must commit for a pull request; not given without one. `own`: all changes of the
   * attempt; `all`: none, since fixpoint commits what the executor leaves uncommitted.
   */
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
      /** Whether other batch members work at the same time, so that the task has its own progress log. */
      grouped: z.boolean(),
      /** Stuck level of the attempt; null if not stuck. */
      climb: Climb.nullable(),
      /** Attempts and findings so far, with evidence of the last failed attempt in the tree. */
      escalation: Escalation,
      /** Whether the policy has a rung for stuck trees. */
      escalates: z.boolean(),
      /**
       * The rung that led to this attempt; for a fix task or part, the rung that made it if that rung is higher. Null
       * for a first attempt.
       */
      remedy: Rung.nullable(),
      /** Maximum length of failure evidence in a prompt, in characters. */
      maxEvidence: z.int().min(1),
      /** Adjustment by the repair operator; null if there is none. */
      adjustment: z.string().nullable(),
      /** A person's guidance; null if there is none. */
      guidance: z.string().nullable(),
      /**
       * Number of attempts in the tree whose prompt was too long (0 if not given); each of them shortens this prompt.
       */
      tooLong: z.int().min(0).optional(),
      /** Permissions of the executor's tool; `tool` if not given. */
      permissions: PermissionLevel.optional(),
      /** Whether fixpoint commits the changes once the task is accepted. */
      committed: z.boolean().optional(),
      /** Time limit of the Verify before the work, in milliseconds; null or not given if that Verify is not run. */
      verifyBefore: z.int().min(1).nullable().optional(),
      /** Handling of changes to the task's proof; `off` if not given. */
      guard: Guard.optional(),
      /** Whether to restore the files to their state before the first attempt at the task; false if not given. */
      fresh: z.boolean().optional(),
      /**
       * A race of `of` attempts, numbered from `attempt` on; a single attempt if not given. `judging`: how to judge the
       * claims; the winner's claim is judged again.
       */
      race: z.object({ of: z.int().min(2), judging: Judging }).optional(),
      /**
       * All tasks of the batch that begin together: the baseline runs of all these tasks come before the first attempt.
       */
      members: z.array(z.string()).optional(),
    }),
    answer: z.discriminatedUnion("kind", [
      /**
       * `reply`: only from an actor that an embedder provides; built-in actors record the reply alongside the answer.
       */
      z.object({ kind: z.literal("replied"), reply: Reply.optional(), ...taken }),
      /**
       * The result of one racer, under its own key; the answer of the race follows. `tried`: given if the racer
       * failed.
       */
      z.object({ kind: z.literal("raced"), outcome: Raced, content: z.string().nullable(), tried: Tried.optional() }),
      /** The recorded baseline of the Verify is red and the Verify passes now, so the task is not delegated. */
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
      /** The added tasks are done next. */
      z.object({ kind: z.literal("replanned"), change: ChangeType, added: z.array(z.string()) }),
      /** The added tasks are done later; the claim still has to be judged. */
      z.object({ kind: z.literal("extended"), change: ChangeType, added: z.array(z.string()) }),
      z.object({ kind: z.literal("refused"), reason: z.string() }),
      Question,
    ]),
  },
  /** Judge the claim of an attempt. */
  verify: {
    input: onTask.extend(Judging.shape),
    answer: z.discriminatedUnion("kind", [
      z.object({
        kind: z.literal("accepted"),
        reviewDue: z.boolean().optional(),
        /** The proof that the task is done; not given if no command ran. */
        proof: Proof.optional(),
        /** Files of a `[RED]` task: their checks should fail until the next `[GREEN]` task is done. */
        given: z.array(z.string()).optional(),
        /** Names of checks that were red before the run and are ignored. */
        excused: z.array(RedCheck.pick({ name: true, id: true })).optional(),
        /** Workspace content after the work, if a command checks the task later; null if unknown. */
        content: z.string().nullable().optional(),
        /** Failures that remain after an accepted fix; none if not given. */
        left: FailureLeft.optional(),
      }),
      /** The executor needs an answer from a person first, so no attempt is spent. */
      z.object({
        kind: z.literal("blocked"),
        question: z.string(),
        /** For a question about changes to the proof: hashes of the changes that a person may accept. */
        covers: z.array(z.string()).optional(),
      }),
      z.object({
        kind: z.literal("rejected"),
        layer: Layer,
        reason: z.string(),
        /** Whether the executor's tool denied an act; if so, the denial takes precedence over the rejection. */
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
  /** Determine why an attempt failed. */
  readFailure: {
    input: onTask.extend({
      waits: z.int().min(0),
      /** Whether to look for signs of being stuck. */
      watch: z.boolean(),
      /** Reason and start of the last wait; null if there was none, or if the executor said how long to wait. */
      waiting: z.object({ reason: FailureKind, since: z.number() }).nullable().optional(),
      /** Maximum duration of that wait; no limit if null or not given. */
      maxWait: z.int().min(1).nullable().optional(),
      /** Number of attempts in the tree whose prompt was too long; 0 if not given. */
      tooLong: z.int().min(0).optional(),
      /** The rung that led to the attempt; null or not given for a first attempt. */
      rung: Rung.nullable().optional(),
    }),
    answer: FailureDigest,
  },
  /** Wait until an executor can work again, or ask the person whose help it needs. */
  wait: {
    input: onTask.extend({
      reason: FailureKind,
      error: z.string(),
      until: z.number().nullable(),
      /** Start of the wait, if it has taken too long; null or not given otherwise. */
      since: z.number().nullable().optional(),
      /** The rung that led to the attempt; null or not given for a first attempt. */
      rung: Rung.nullable().optional(),
      /** The act that the executor's tool denied; not given if the wait has another reason. */
      denied: DeniedAct.optional(),
    }),
    answer: z.discriminatedUnion("kind", [z.object({ kind: z.literal("waited") }), Question]),
  },
  /** Tick an accepted task, and log it in the progress log. */
  recordPass: {
    input: onTask.extend({
      fixes: z.array(z.string()),
      /** Whether the log lines are written at the end of the batch. */
      grouped: z.boolean(),
      /** Whether the box stays open because the task is to be done again. */
      keepOpen: z.boolean(),
      /** Changes to commit. */
      commit: CommitChoice,
      /** The repair that led to the pass, for the summary; null if there is none. */
      repair: Repair.nullable(),
      /** Number of skipped parts. */
      leftOut: z.int().min(0),
      /** The proof that the task is done. */
      proof: Proof,
      /**
       * Limits for a fix task that repairs checks which were red before the run; if not given, no fix task is written.
       */
      repairKnown: RepairLimits.optional(),
    }),
    answer: z.object({
      kind: z.literal("recorded"),
      /** The fix task for checks that were red before the run. */
      fix: z.string().optional(),
      /** Abbreviated hash of HEAD if the attempt moved it. */
      commit: z.string().nullable().optional(),
      /** Whether the log lines are still to be written. */
      grouped: z.boolean().optional(),
      /** Whether the box was left open. */
      open: z.boolean().optional(),
      proof: Proof.optional(),
      /** Whether the box and the log lines are not flushed yet. */
      pending: z.boolean().optional(),
    }),
  },
} as const;
