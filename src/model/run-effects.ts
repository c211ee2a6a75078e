import * as z from "zod";
import { Before, RedCheck } from "./check-run.ts";
import { Directive, Repair } from "./directive.ts";
import { Escalation, StuckReason } from "./escalation.ts";
import { Proof } from "./evidence.ts";
import { FailureDigest } from "./failure.ts";
import { Denial, RepairLimits, RunLimits } from "./limits.ts";
import { PersonDecision, Question, QuestionTopic } from "./person-event.ts";
import { CommitChoice, Policy } from "./policy.ts";
import { Reply } from "./reply.ts";
import { Decided } from "./standing.ts";

/** What names the request of an effect: its key, and the task it is about. */
export const onTask = z.object({ key: z.string(), task: z.string() });
/** The key alone, where it is about the run. */
export const onRun = z.object({ key: z.string() });

/** A tree that is being finished: the planned task, and where in its tree to go on. */
const Chosen = z.object({ root: z.string(), current: z.string() });

/** One of several trees that may be finished side by side. */
export const Member = Chosen.extend({
  /** Members whose end it waits for, since they change the same files. */
  after: z.array(z.string()),
});
export type Member = z.infer<typeof Member>;

/** Write a fix task for what fails behind the work, within these limits; a person sees to it when null. */
const LateRepair = RepairLimits.nullable();

/** What a command has shown does not hold any more, or a check of all work fails: a fix of this task was written. */
const Broken = z.object({
  kind: z.literal("broken"),
  task: z.string(),
  fix: z.string(),
  command: z.string(),
  error: z.string(),
});

/** Checks that are left to the tasks that follow, by name: until the next such run they count against nobody. */
const Expected = z.array(z.string());

/** Which tasks of a plan are work of the run. */
const WorkChoice = {
  /** What is left for the pull request is none of its tasks: milestones, which are ticked as they become true. */
  ships: z.boolean().optional(),
  /** Tasks that their authors call optional are done as well (not so by default). */
  optional: z.boolean().optional(),
  /** Nobody is asked: tasks for people are left out. */
  unattended: z.boolean().optional(),
};

/** Time limit of each command that is run once work done apart is merged, in milliseconds; not given: none is. */
const checkMerged = z.int().min(1).optional();

/** What the coordinator of a run asks for. */
export const runEffects = {
  /** What is to be done next: the first open task, or the batch it begins. */
  chooseTask: {
    input: onRun.extend({
      ...WorkChoice,
      maxParallel: z.int().min(1),
      /** Commit the spec's files where lines of a batch before are still to be written. */
      commit: CommitChoice,
      /** The command that checks tasks together is run before the work as well. */
      verifyBefore: z.boolean().optional(),
      checkMerged,
    }),
    answer: z.discriminatedUnion("kind", [
      Chosen.extend({
        kind: z.literal("task"),
        /** Fix tasks are made for it whatever the policy says. */
        alwaysFixed: z.boolean().optional(),
      }),
      z.object({ kind: z.literal("batch"), members: z.array(Member).min(2), width: z.int().min(1) }),
      z.object({
        kind: z.literal("none"),
        /** The branch is brought to a pull request. */
        ships: z.literal(true).optional(),
      }),
      /** The check of the project is to be run: before the work, or behind a phase, or behind it all. */
      z.object({ kind: z.literal("check") }),
      Question,
    ]),
  },
  /** The next task that is carried out even though the run has to stop. */
  chooseCleanup: {
    input: onRun.extend({ done: z.array(z.string()) }),
    answer: z.discriminatedUnion("kind", [
      Chosen.extend({ kind: z.literal("task") }),
      z.object({ kind: z.literal("none") }),
    ]),
  },
  /** The lines of a batch in the progress log, in the order of the plan. */
  mergeProgress: {
    input: onRun.extend({
      /** Members whose own logs are taken over. */
      logs: z.array(z.string()),
      commit: CommitChoice,
      checkMerged,
    }),
    answer: z.object({ kind: z.literal("merged") }),
  },
  /** The check of the project, for all tasks that it is to verify together. */
  checkWork: {
    input: onRun.extend({
      ...WorkChoice,
      timeoutMs: z.int().min(1),
      /** What is done about checks that were red before the run. */
      knownFailures: Policy.shape.knownFailures.unwrap(),
      repair: LateRepair,
    }),
    answer: z.discriminatedUnion("kind", [
      z.object({
        kind: z.literal("checked"),
        /** What it says of each task. */
        proofs: z.record(z.string(), Proof),
        /** What it says of the work as it is: what comes next is measured by that. */
        before: Before,
        /** Tasks that it is to be run once more for, with those of the next phase: what fails is none of theirs. */
        carried: z.array(z.string()),
        expected: Expected,
        /** Checks that were red before the run and count for nothing in it, by name. */
        excused: z.array(RedCheck.pick({ name: true, id: true })).optional(),
      }),
      Broken.extend({ expected: Expected }),
      Question,
    ]),
  },
  /** One consistent look at the whole plan: is every task ticked and accounted for, and does the final check pass? */
  confirmCompletion: {
    input: onRun.extend({
      finalVerify: z.string().nullable(),
      timeoutMs: z.int().min(1),
      /** Ask a person where nothing has shown that a task is done. */
      requireProof: z.boolean().optional(),
      /** Run the commands once more that have proven tasks. */
      recheck: z.boolean().optional(),
      repair: LateRepair.optional(),
    }),
    answer: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("complete") }),
      Broken,
      /** All but what was left out. */
      z.object({ kind: z.literal("skipped") }),
      Question,
    ]),
  },
} as const;

/** What the remedies for a failed attempt ask for. */
export const remedyEffects = {
  /** What comes next for a task, out of the state of the run. */
  decide: { input: onTask.extend({ root: z.string() }), answer: Decided },
  /** What follows a part of a decomposed task: the next part, the whole, or, where a limit says no, neither. */
  nextPart: {
    input: onTask.extend({ root: z.string() }),
    answer: z.object({ kind: z.enum(["part", "whole", "spent"]), task: z.string() }),
  },
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
      /** What is left out. */
      task: z.string(),
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
      /** Nobody is there: its task is named in what answers it, for others may wait as well (not so when not given). */
      unattended: z.boolean().optional(),
    }),
    answer: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("decided"), decision: PersonDecision }),
      z.object({ kind: z.literal("guided"), text: z.string() }),
      Question,
    ]),
  },
} as const;
