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

/** Key and task of a requested effect. */
export const onTask = z.object({ key: z.string(), task: z.string() });
/** The key alone, for effects on the run. */
export const onRun = z.object({ key: z.string() });

/** The tree to work on: its planned task, and the task to resume. */
const Chosen = z.object({ root: z.string(), current: z.string() });

/** One of several trees that may be done in parallel. */
export const Member = Chosen.extend({
  /** Members to wait for, since they change the same files. */
  after: z.array(z.string()),
});
export type Member = z.infer<typeof Member>;

/** Limits for writing a fix task if a check fails after the work; null: a person decides. */
const LateRepair = RepairLimits.nullable();

/** A command that proved a task, or a check of all work, failed, and a fix task for `task` was written. */
const Broken = z.object({
  kind: z.literal("broken"),
  task: z.string(),
  fix: z.string(),
  command: z.string(),
  error: z.string(),
});

/** Names of failing checks that are left to later tasks, and ignored until the next project check. */
const Expected = z.array(z.string());

/** Options that select the tasks of the run. */
const WorkChoice = {
  /**
   * Whether milestones of the pull request are left to the pull-request phase, which ticks them when they are reached.
   */
  ships: z.boolean().optional(),
  /** Whether to do optional tasks (false by default). */
  optional: z.boolean().optional(),
  /** Whether the run is unattended: tasks for people are skipped. */
  unattended: z.boolean().optional(),
};

/** Time limit of each command after a merge, in milliseconds; not given: no command runs. */
const checkMerged = z.int().min(1).optional();

/** Effects of the coordinator. */
export const runEffects = {
  /** Choose the first open task, or the batch that begins with it. */
  chooseTask: {
    input: onRun.extend({
      ...WorkChoice,
      maxParallel: z.int().min(1),
      /** Changes to commit if log lines of an earlier batch are still to be written. */
      commit: CommitChoice,
      /** Whether to run the project check before the work as well. */
      verifyBefore: z.boolean().optional(),
      checkMerged,
    }),
    answer: z.discriminatedUnion("kind", [
      Chosen.extend({
        kind: z.literal("task"),
        /** Whether the task gets fix tasks whatever the policy says. */
        alwaysFixed: z.boolean().optional(),
      }),
      z.object({ kind: z.literal("batch"), members: z.array(Member).min(2), width: z.int().min(1) }),
      z.object({
        kind: z.literal("none"),
        /** Whether the work on a pull request for the branch comes next. */
        ships: z.literal(true).optional(),
      }),
      /** The project check is due: before the work, after a phase, or at the end. */
      z.object({ kind: z.literal("check") }),
      Question,
    ]),
  },
  /** Choose the next task that runs even though the run must stop. */
  chooseCleanup: {
    input: onRun.extend({ done: z.array(z.string()) }),
    answer: z.discriminatedUnion("kind", [
      Chosen.extend({ kind: z.literal("task") }),
      z.object({ kind: z.literal("none") }),
    ]),
  },
  /** Write the log lines of a batch into the progress log, in plan order. */
  mergeProgress: {
    input: onRun.extend({
      /** Members whose own logs are merged. */
      logs: z.array(z.string()),
      commit: CommitChoice,
      checkMerged,
    }),
    answer: z.object({ kind: z.literal("merged") }),
  },
  /** Run the project check for all tasks that it verifies together. */
  checkWork: {
    input: onRun.extend({
      ...WorkChoice,
      timeoutMs: z.int().min(1),
      /** Policy for checks that were red before the run. */
      knownFailures: Policy.shape.knownFailures.unwrap(),
      repair: LateRepair,
    }),
    answer: z.discriminatedUnion("kind", [
      z.object({
        kind: z.literal("checked"),
        /** The proof of each task. */
        proofs: z.record(z.string(), Proof),
        /** Result for the current work, as the baseline of later tasks. */
        before: Before,
        /** Tasks to check again with the next phase, since these tasks did not cause the failures. */
        carried: z.array(z.string()),
        expected: Expected,
        /** Names of checks that were red before the run and are ignored. */
        excused: z.array(RedCheck.pick({ name: true, id: true })).optional(),
      }),
      Broken.extend({ expected: Expected }),
      Question,
    ]),
  },
  /** Confirm the whole plan: every task is ticked and accounted for, and the final check passes. */
  confirmCompletion: {
    input: onRun.extend({
      finalVerify: z.string().nullable(),
      timeoutMs: z.int().min(1),
      /** Ask a person about tasks without proof. */
      requireProof: z.boolean().optional(),
      /** Rerun the commands that proved tasks. */
      recheck: z.boolean().optional(),
      repair: LateRepair.optional(),
    }),
    answer: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("complete") }),
      Broken,
      /** All tasks are done except the skipped ones. */
      z.object({ kind: z.literal("skipped") }),
      Question,
    ]),
  },
} as const;

/** Effects of the remedies for a failed attempt. */
export const remedyEffects = {
  /** Decide the next step for a task from the state of the run. */
  decide: { input: onTask.extend({ root: z.string() }), answer: Decided },
  /**
   * Choose the step after a part of a decomposed task: the next part, the whole task, or neither if a limit denies the
   * delegation.
   */
  nextPart: {
    input: onTask.extend({ root: z.string() }),
    answer: z.object({ kind: z.enum(["part", "whole", "spent"]), task: z.string() }),
  },
  /** Write a fix task for a failed attempt into the plan. */
  insertFix: {
    input: onTask.extend({
      /** The task to repair. */
      fixOf: z.string(),
      /** The fix task that the new one replaces; null if none. */
      supersedes: z.string().nullable(),
      /** The failure that the fix task is made for. */
      failure: FailureDigest,
      /** Number of earlier fix tasks of the task. */
      made: z.int().min(0),
      scope: z.string().nullable(),
      limits: RunLimits,
    }),
    answer: z.discriminatedUnion("kind", [z.object({ kind: z.literal("inserted"), fix: z.string() }), Denial]),
  },
  /** Ask a repair operator for a directive. */
  askOperator: {
    input: onTask.extend({
      root: z.string(),
      /** Counted from 1: after an answer without a usable directive, the operator is asked once more. */
      round: z.int().min(1).max(2),
      /** Why the operator's previous answer could not be followed; null in the first round. */
      refusal: z.string().nullable(),
      /** Remaining directives, including the one in this answer. */
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
         * Time when the unavailable operator can work again, in milliseconds since 1970; null if only a person can
         * help.
         */
        until: z.number().nullable().optional(),
      }),
      Denial,
    ]),
  },
  /** Combine the claims of a decomposed task's parts. */
  gatherParts: {
    input: onTask.extend({
      /** Last attempts at the parts, in order. */
      parts: z.array(z.string()),
      /** Number of skipped parts. */
      leftOut: z.int().min(0),
      /** Whether no Verify command will run for the whole task. */
      trustExecutor: z.boolean(),
    }),
    /** `reply`: the combined reply for the whole task, as in `delegate`. */
    answer: z.object({ kind: z.literal("gathered"), reply: Reply.optional() }),
  },
  /** Skip a task, and note it in the summary. */
  recordSkip: {
    input: onTask.extend({ root: z.string(), justification: z.string(), by: z.enum(["operator", "person"]) }),
    answer: z.object({
      kind: z.literal("skipped"),
      /** The skipped task. */
      task: z.string(),
      /** The skipped planned task, or the task whose fix is skipped; not given for a part. */
      skipped: z.object({ root: z.string(), justification: z.string() }).optional(),
    }),
  },
  /** Write the report of a checkpoint. */
  writeStuckReport: {
    input: onTask.extend({
      root: z.string(),
      escalation: Escalation,
      /** Why the task is stuck; null: no remedy is left. */
      stuck: StuckReason.nullable(),
      repairs: z.array(Repair),
      /** Fixes made in the tree. */
      fixes: z.array(z.string()),
      /** Path relative to the workspace; null: the spec folder. */
      path: z.string().nullable(),
    }),
    answer: z.object({ kind: z.literal("written"), path: z.string() }),
  },
  /** Ask a person what to do about a task that could not be repaired, or how to continue after a checkpoint. */
  askPerson: {
    input: onTask.extend({
      root: z.string(),
      about: QuestionTopic,
      /** The executor's question, or the environment problem; null if neither. */
      question: z.string().nullable(),
      /** Whether the prompt was too long (false if not given). */
      tooLong: z.boolean().optional(),
      escalation: Escalation,
      repairs: z.array(Repair),
      /** Path of the checkpoint report; null if there is none. */
      report: z.string().nullable(),
      /**
       * Whether the run is unattended: the answer must then name the task, since other tasks may wait as well (false if
       * not given).
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
