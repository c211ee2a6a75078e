import * as z from "zod";
import { Before, RedCheck } from "./check-run.ts";
import { Decided } from "./decision.ts";
import { Directive, Repair } from "./directive.ts";
import { Escalation, StuckReason } from "./escalation.ts";
import { Proof } from "./evidence.ts";
import { FailureDigest } from "./failure.ts";
import { Denial, RepairLimits, RunLimits } from "./limits.ts";
import { PersonDecision, Question, QuestionTopic } from "./person-event.ts";
import { CommitChoice, Policy } from "./policy.ts";
import { Reply } from "./reply.ts";

/** Input of effects on a task. */
export const onTask = z.object({ key: z.string(), task: z.string() });
/** Input of effects on the run. */
export const onRun = z.object({ key: z.string() });

/** A tree to work on: its planned task, and the task in it that comes next. */
const Chosen = z.object({ root: z.string(), current: z.string() });

/** One of several trees that may run in parallel. */
export const Member = Chosen.extend({
  /** Trees to wait for, since they change the same files. */
  after: z.array(z.string()),
});
export type Member = z.infer<typeof Member>;

/** Limits for a fix task if a check fails after the work; null: a person decides instead. */
const LateRepair = RepairLimits.nullable();

/** A command that proved a task, or a check of all work, failed; a fix task for `task` was written. */
const Broken = z.object({
  kind: z.literal("broken"),
  task: z.string(),
  fix: z.string(),
  command: z.string(),
  error: z.string(),
});

/** Names of failing checks that later tasks have to repair; ignored until the next project check. */
const Expected = z.array(z.string());

const WorkChoice = {
  /** Whether milestones of the pull request wait for the pull-request phase, which ticks them. */
  ships: z.boolean().optional(),
  /** Whether to do optional tasks; false if not given. */
  optional: z.boolean().optional(),
  /** Whether the run is unattended. An unattended run skips tasks for people. */
  unattended: z.boolean().optional(),
};

/** Time limit in milliseconds of each command after a merge. If no limit is given, no command runs. */
const checkMerged = z.int().min(1).optional();

export const runEffects = {
  /** Choose the first open task, or the batch that begins with it. */
  chooseTask: {
    input: onRun.extend({
      ...WorkChoice,
      maxParallel: z.int().min(1),
      /** Files to commit, if log lines of an earlier batch are still missing. */
      commit: CommitChoice,
      verifyBefore: z.boolean().optional(),
      checkMerged,
    }),
    answer: z.discriminatedUnion("kind", [
      Chosen.extend({
        kind: z.literal("task"),
        /** Whether the task gets fix tasks even if the policy has none. */
        alwaysFixed: z.boolean().optional(),
      }),
      z.object({ kind: z.literal("batch"), members: z.array(Member).min(2), width: z.int().min(1) }),
      z.object({
        kind: z.literal("none"),
        /** Set if work on the branch's pull request comes next. */
        ships: z.literal(true).optional(),
      }),
      /** The project check comes next: before the work, after a phase, or at the end. */
      z.object({ kind: z.literal("check") }),
      Question,
    ]),
  },
  /** Choose the next cleanup task, which runs although the run must stop. */
  chooseCleanup: {
    input: onRun.extend({ done: z.array(z.string()) }),
    answer: z.discriminatedUnion("kind", [
      Chosen.extend({ kind: z.literal("task") }),
      z.object({ kind: z.literal("none") }),
    ]),
  },
  /** Write the log lines of a batch into the progress log, in the order of the plan. */
  mergeProgress: {
    input: onRun.extend({
      /** Tasks whose own logs are merged. */
      logs: z.array(z.string()),
      commit: CommitChoice,
      checkMerged,
    }),
    answer: z.object({ kind: z.literal("merged") }),
  },
  /** Run the project check for all tasks that it verifies. */
  checkWork: {
    input: onRun.extend({
      ...WorkChoice,
      timeoutMs: z.int().min(1),
      /** How to handle checks that were red before the run. */
      knownFailures: Policy.shape.knownFailures.unwrap(),
      /** How to handle changes to the check itself; `off` if not given. */
      guard: Policy.shape.guard.unwrap().optional(),
      repair: LateRepair,
    }),
    answer: z.discriminatedUnion("kind", [
      z.object({
        kind: z.literal("checked"),
        proofs: z.record(z.string(), Proof),
        /** Result for the work so far: the baseline of later tasks. */
        before: Before,
        /** Tasks that did not cause the failures; they are checked again with the next phase. */
        carried: z.array(z.string()),
        expected: Expected,
        /** Names of checks that were red before the run and are ignored. */
        excused: z.array(RedCheck.pick({ name: true, id: true })).optional(),
      }),
      Broken.extend({ expected: Expected }),
      Question,
    ]),
  },
  /** Confirm the whole plan: every tick is accounted for, and the final check passes. */
  confirmCompletion: {
    input: onRun.extend({
      finalVerify: z.string().nullable(),
      timeoutMs: z.int().min(1),
      /** Whether to ask a person about tasks without proof. */
      requireProof: z.boolean().optional(),
      /** Whether to rerun the commands that proved tasks. */
      recheck: z.boolean().optional(),
      repair: LateRepair.optional(),
    }),
    answer: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("complete") }),
      Broken,
      /** All tasks are done or skipped. */
      z.object({ kind: z.literal("skipped") }),
      Question,
    ]),
  },
} as const;

export const remedyEffects = {
  decide: { input: onTask.extend({ root: z.string() }), answer: Decided },
  /** Choose the step after a part: the next part, the whole task, or `spent` if a limit denies the delegation. */
  nextPart: {
    input: onTask.extend({ root: z.string() }),
    answer: z.object({ kind: z.enum(["part", "whole", "spent"]), task: z.string() }),
  },
  insertFix: {
    input: onTask.extend({
      fixOf: z.string(),
      /** Fix task that the new fix task replaces; null if the new fix task replaces none. */
      supersedes: z.string().nullable(),
      failure: FailureDigest,
      /** Number of fix tasks that the task already has. */
      made: z.int().min(0),
      scope: z.string().nullable(),
      limits: RunLimits,
    }),
    answer: z.discriminatedUnion("kind", [z.object({ kind: z.literal("inserted"), fix: z.string() }), Denial]),
  },
  askOperator: {
    input: onTask.extend({
      root: z.string(),
      /** Round, from 1. If the first answer has no valid directive, the operator is asked a second time. */
      round: z.int().min(1).max(2),
      /** Why the first answer was refused; null in the first round. */
      refusal: z.string().nullable(),
      /** Number of directives left, including the requested one. */
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
        /**
         * Time at which the operator is available again, in milliseconds since 1970; null if a person must help first.
         */
        until: z.number().nullable().optional(),
      }),
      Denial,
    ]),
  },
  /** Combine the claims about the parts of a task into one claim. */
  gatherParts: {
    input: onTask.extend({
      /** Last attempt at each part, in order. */
      parts: z.array(z.string()),
      leftOut: z.int().min(0),
      /** Whether Verify is not run for the whole task. */
      trustExecutor: z.boolean(),
    }),
    /** `reply` is the combined reply for the whole task, as in `delegate`. */
    answer: z.object({ kind: z.literal("gathered"), reply: Reply.optional() }),
  },
  /** Skip a task, and write it into the summary. */
  recordSkip: {
    input: onTask.extend({ root: z.string(), justification: z.string(), by: z.enum(["operator", "person"]) }),
    answer: z.object({
      kind: z.literal("skipped"),
      task: z.string(),
      /**
       * The planned task, if the whole task is skipped, or the task that the skipped fix task repairs. Not given for a
       * part.
       */
      skipped: z.object({ root: z.string(), justification: z.string() }).optional(),
    }),
  },
  writeStuckReport: {
    input: onTask.extend({
      root: z.string(),
      escalation: Escalation,
      /** Null if the task is not stuck, but all its remedies are used. */
      stuck: StuckReason.nullable(),
      repairs: z.array(Repair),
      fixes: z.array(z.string()),
      /** Path of the report, relative to the workspace; if null, the report goes to the spec folder. */
      path: z.string().nullable(),
    }),
    answer: z.object({ kind: z.literal("written"), path: z.string() }),
  },
  /** Ask a person about a task that could not be repaired, or how to continue after a checkpoint. */
  askPerson: {
    input: onTask.extend({
      root: z.string(),
      about: QuestionTopic,
      /** The executor's question, or the environment problem; null for other topics. */
      question: z.string().nullable(),
      /** Whether the prompt was too long; false if not given. */
      tooLong: z.boolean().optional(),
      escalation: Escalation,
      repairs: z.array(Repair),
      /** Path of the report of the checkpoint; null without a report. */
      report: z.string().nullable(),
      /**
       * Whether the run is unattended; false if not given. The answer must then name the task, since several tasks may
       * wait.
       */
      unattended: z.boolean().optional(),
    }),
    answer: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("decided"), decision: PersonDecision }),
      z.object({ kind: z.literal("guided"), text: z.string() }),
      Question,
    ]),
  },
} as const;
