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

/** For a race: number of the winning attempt, and hash of the workspace files with its changes. */
const taken = { attempt: z.int().optional(), content: z.string().nullable().optional() };

const Judging = z.object({
  trustExecutor: z.boolean(),
  requireExecutorTick: z.boolean(),
  requireCommit: z.boolean(),
  timeoutMs: z.int().min(1),
  reviews: z.int().min(0),
  /** How to handle checks that were red before the run; `repair` if not given. */
  knownFailures: z.enum(["ask", "ignore", "repair"]).optional(),
  /** How to handle changes to the task's proof; `off` if not given. */
  guard: Guard.optional(),
  /**
   * Whether the previous claim was rejected for changes to the task's proof. If so, a person is asked about further
   * changes.
   */
  guarded: z.boolean().optional(),
  /** Whether other tasks of the batch run at the same time. */
  grouped: z.boolean().optional(),
  /** Number of consecutive rejections before this claim; 0 if not given. */
  rejections: z.int().min(1).optional(),
  /** The rules that judge the claim; `evidence` if not given. */
  rules: Policy.shape.rules.unwrap().optional(),
  /**
   * Who commits the attempt's changes for a pull request; not given without a pull request. `own`: the executor must
   * commit all its changes; `all`: fixpoint commits uncommitted files.
   */
  ships: z.enum(["own", "all"]).optional(),
});

export const attemptEffects = {
  delegate: {
    input: onTask.extend({
      root: z.string(),
      attempt: z.int().min(1),
      retries: z.int().min(0),
      requireExecutorTick: z.boolean(),
      limits: RunLimits,
      /** Whether other tasks of the batch run at the same time; each of them has its own progress log. */
      grouped: z.boolean(),
      /** Null if the tree is not stuck. */
      climb: Climb.nullable(),
      escalation: Escalation,
      escalates: z.boolean(),
      /**
       * Rung that led to this attempt; null for a first attempt. For a fix task or part: its own rung, or the rung that
       * created the task if that rung is higher.
       */
      remedy: Rung.nullable(),
      /** Maximum length of failure evidence in a prompt, in characters. */
      maxEvidence: z.int().min(1),
      /** Change that the repair operator asked for; null without a repair. */
      adjustment: z.string().nullable(),
      guidance: z.string().nullable(),
      /**
       * Number of attempts in the tree with a prompt that was too long; 0 if not given. Each of these attempts shortens
       * the prompt of this attempt.
       */
      tooLong: z.int().min(0).optional(),
      /** Permissions for the executor's tool; if not given, `tool`: the tool's own settings apply. */
      permissions: PermissionLevel.optional(),
      /** Whether fixpoint commits the changes of an accepted task. */
      committed: z.boolean().optional(),
      /**
       * Time limit in milliseconds of the Verify before the work. If it is null or not given, Verify is not run before
       * the work.
       */
      verifyBefore: z.int().min(1).nullable().optional(),
      /** How to handle changes to the task's proof; `off` if not given. */
      guard: Guard.optional(),
      /** Whether to restore the files to their state before the task's first attempt; false if not given. */
      fresh: z.boolean().optional(),
      /**
       * A race of `of` attempts, numbered from `attempt`; not given for a single attempt. `judging` applies to each
       * racer; the claim of the winner is judged again.
       */
      race: z.object({ of: z.int().min(2), judging: Judging }).optional(),
      /** Batch tasks that begin together. The Verify commands of all these tasks run before the first attempt. */
      members: z.array(z.string()).optional(),
    }),
    answer: z.discriminatedUnion("kind", [
      /** `reply` comes only from an actor of an embedder: built-in actors record the reply separately. */
      z.object({ kind: z.literal("replied"), reply: Reply.optional(), ...taken }),
      /**
       * Result of one racer, recorded before the answer of the race. Each racer has its own key. `tried` is given for a
       * failed racer.
       */
      z.object({ kind: z.literal("raced"), outcome: Raced, content: z.string().nullable(), tried: Tried.optional() }),
      /** Verify was red in its recorded baseline and is green now: the task is done without a delegation. */
      z.object({ kind: z.literal("done"), proof: Proof }),
      z.object({ kind: z.literal("requested"), reply: Reply.optional(), ...taken }),
      Denial,
    ]),
  },
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
  verify: {
    input: onTask.extend(Judging.shape),
    answer: z.discriminatedUnion("kind", [
      z.object({
        kind: z.literal("accepted"),
        reviewDue: z.boolean().optional(),
        /** Not given if no command ran. */
        proof: Proof.optional(),
        /** Files of a `[RED]` task. Checks in these files should fail until the next `[GREEN]` task is done. */
        given: z.array(z.string()).optional(),
        /** Names of checks that were red before the run and are ignored. */
        excused: z.array(RedCheck.pick({ name: true, id: true })).optional(),
        /** Hash of the workspace files after the work, for a task that a command checks later; null if unknown. */
        content: z.string().nullable().optional(),
        /** Failures that an accepted fix task leaves; not given if there are none. */
        left: FailureLeft.optional(),
      }),
      /** The executor has a question to a person. The attempt is not counted. */
      z.object({
        kind: z.literal("blocked"),
        question: z.string(),
        /** Hashes of the changes to the proof that the person may accept; only for a question about such changes. */
        covers: z.array(z.string()).optional(),
      }),
      z.object({
        kind: z.literal("rejected"),
        layer: Layer,
        reason: z.string(),
        /** Whether the executor's tool denied an act. If so, the run handles the denial and ignores the rejection. */
        withheld: z.boolean().optional(),
      }),
      z.object({ kind: z.literal("failed"), layer: Layer, reason: z.string() }),
      Question,
    ]),
  },
  review: {
    input: onTask.extend({ round: z.int().min(1), limits: RunLimits }),
    answer: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("accepted"), passed: z.boolean(), findings: z.string() }),
      z.object({ kind: z.literal("failed"), findings: z.string() }),
      Denial,
      Question,
    ]),
  },
  readFailure: {
    input: onTask.extend({
      waits: z.int().min(0),
      watch: z.boolean(),
      /**
       * The last wait. Null or not given if there was no wait, or if the executor had announced the end of the wait.
       */
      waiting: z.object({ reason: FailureKind, since: z.number() }).nullable().optional(),
      /** Maximum duration of a wait in milliseconds; null or not given: no limit. */
      maxWait: z.int().min(1).nullable().optional(),
      /** Number of attempts in the tree with a prompt that was too long; 0 if not given. */
      tooLong: z.int().min(0).optional(),
      /** Rung that led to the attempt; null or not given for a first attempt. */
      rung: Rung.nullable().optional(),
    }),
    answer: FailureDigest,
  },
  /** Wait until an executor is available, or ask a person for the help that it needs. */
  wait: {
    input: onTask.extend({
      reason: FailureKind,
      error: z.string(),
      until: z.number().nullable(),
      /** Start of a wait that has taken too long; null or not given for other waits. */
      since: z.number().nullable().optional(),
      /** Rung that led to the attempt; null or not given for a first attempt. */
      rung: Rung.nullable().optional(),
      /** Act that the executor's tool denied; not given if the wait has another reason. */
      denied: DeniedAct.optional(),
    }),
    answer: z.discriminatedUnion("kind", [z.object({ kind: z.literal("waited") }), Question]),
  },
  recordPass: {
    input: onTask.extend({
      fixes: z.array(z.string()),
      /** Whether the log lines are written only at the end of the batch. */
      grouped: z.boolean(),
      /** Whether the box stays open, since the task has to be done again. */
      keepOpen: z.boolean(),
      commit: CommitChoice,
      repair: Repair.nullable(),
      /** Number of skipped parts. */
      leftOut: z.int().min(0),
      proof: Proof,
      /**
       * Limits for a fix task that repairs checks which were red before the run. If they are not given, no fix task of
       * this kind is written.
       */
      repairKnown: RepairLimits.optional(),
    }),
    answer: z.object({
      kind: z.literal("recorded"),
      fix: z.string().optional(),
      /** Abbreviated hash of HEAD, if the attempt changed HEAD. */
      commit: z.string().nullable().optional(),
      /** Whether the log lines are still missing. */
      grouped: z.boolean().optional(),
      open: z.boolean().optional(),
      proof: Proof.optional(),
      /**
       * For a task that no command has verified: whether the project check verifies it at the end of its phase or of
       * the run.
       */
      later: z.enum(["phase", "end"]).optional(),
      /** Whether the changes of `tasks.md` and the log are not yet on disk. */
      pending: z.boolean().optional(),
    }),
  },
} as const;
