import * as z from "zod";
import { Considered } from "./decision.ts";
import { Strategy } from "./directive.ts";
import { Level, StuckReason } from "./escalation.ts";
import { Layer, Proof, Proofs } from "./evidence.ts";
import { FailureKind } from "./failure.ts";
import { Change } from "./failure-set.ts";
import { SpentByPurpose } from "./ledger.ts";
import { QuestionTopic } from "./person-event.ts";
import { Policy } from "./policy.ts";
import { PullRequestPhase } from "./pull-request.ts";
import { ChangeType, Raced } from "./reply.ts";
import { Role } from "./role.ts";
import { Rung } from "./rung.ts";

/** Outcome of a run. */
export const RunEnding = z.enum([
  "complete",
  "skipped",
  "limit",
  "checkpoint",
  "gate",
  "cancelled",
  "interrupted",
  "environment",
  /** The run can only wait: for reports of handed-out work, or until a time. */
  "waiting",
]);
export type RunEnding = z.infer<typeof RunEnding>;

/** Exit codes of the command, by outcome. */
export const exitCodes: Record<RunEnding, number> = {
  complete: 0,
  limit: 1,
  skipped: 3,
  checkpoint: 3,
  gate: 3,
  cancelled: 3,
  environment: 5,
  interrupted: 130,
  waiting: 6,
};

/** Number of a task's checks that fail after an attempt; null if no tool names or counts them. */
export const Progress = z
  .object({
    failing: z.int().min(1),
    /** Number of checks run; null if unknown. */
    of: z.int().nullable(),
    /** Number of failures at the previous attempt; null if unknown, or if this is the first. */
    was: z.int().nullable(),
    change: Change,
    /** Names of checks that stopped failing since the previous attempt; a long list is cut. */
    lost: z.array(z.string()),
    /** Names of checks that started to fail since the previous attempt; a long list is cut. */
    gained: z.array(z.string()),
    /** Minimum number of failures so far in this stage. */
    best: z.int(),
  })
  .nullable();
export type Progress = z.infer<typeof Progress>;

const task = z.string();
const count = z.int().min(0);

/** Reviewers who still request changes; not given if there are none. */
const requesting = z.array(z.string()).optional();

/** The last event of a start. */
export const RunEnded = z.object({
  type: z.literal("run.ended"),
  outcome: RunEnding,
  exitCode: z.int(),
  /** Number of planned tasks in the plan. */
  original: count,
  /** Number of fix tasks in the plan. */
  fixes: count,
  /** Number of pull-request tasks in the plan. */
  added: count.optional(),
  /** Delegations of the whole run. */
  attempts: count,
  /** Delegations to the repair operator, which `attempts` includes. */
  toOperator: count.optional(),
  skipped: z.array(task),
  /** Open boxes that the plan itself sets aside, with reasons; not given if there are none. */
  leftOpen: z
    .array(z.object({ task, why: z.enum(["optional", "deferred", "person", "criterion", "step"]) }))
    .optional(),
  /** Proofs of the planned tasks that this run accepted; not given if it accepted none. */
  proofs: Proofs.optional(),
  /** Checks that failed before the run and are ignored in it. */
  knownFailures: z.array(z.string()).optional(),
  /** Fix tasks replaced by other fix tasks. */
  superseded: z.array(task).optional(),
  /** A phase about a pull request: the run does the tasks of the phase, but opens no pull request. */
  pullRequest: PullRequestPhase.optional(),
  /** The pull request that the run opened or watched. */
  shipped: z.object({ number: count, url: z.string(), requesting }).optional(),
  /** Boxes ticked before the run, or by hand while it was stopped. */
  tickedByHand: count,
  durationMs: count,
  costUsd: z.number().optional(),
  tokens: z.int().optional(),
  /** Costs by rung, if executors report them and there is more than one rung. */
  spent: SpentByPurpose.optional(),
  /** Whether the user accepted every question in advance. */
  acceptedAny: z.boolean().optional(),
  error: z.string().optional(),
  hint: z.string().optional(),
});
export type RunEnded = z.infer<typeof RunEnded>;

/** Progress of an attempt while it runs. */
export const TaskProgress = z.object({
  type: z.literal("task.progress"),
  task,
  /** Key of the delegation. */
  key: z.string(),
  /** `work`: the executor works; `verify`: the coordinator runs the check command. */
  stage: z.enum(["work", "verify"]),
  /** The executor's current tool; null if unknown. */
  tool: z.string().nullable(),
  /** The tool's action, text or output, or the check command; null if unknown. */
  line: z.string().nullable(),
  /** Tokens of the delegation so far; null if unknown. */
  tokens: count.nullable(),
  /** Seconds since the stage began. */
  seconds: count,
});
export type TaskProgress = z.infer<typeof TaskProgress>;

/** Start of a command that checks several or all tasks: the final check if neither `task` nor `ofProject` is given. */
export const CheckStarted = z.object({
  type: z.literal("check.started"),
  command: z.string(),
  /** The task that the command proved and now rechecks; not given for the final check. */
  task: task.optional(),
  /** Whether the command is the project check, from `--verify`. */
  ofProject: z.literal(true).optional(),
});
export type CheckStarted = z.infer<typeof CheckStarted>;

/** One attempt of a race has ended. */
export const TaskRaced = z.object({ type: z.literal("task.raced"), task, attempt: count, outcome: Raced });
export type TaskRaced = z.infer<typeof TaskRaced>;

/**
 * Result of a project check for the tasks that it covers: the check passed, or its failures are left to later tasks.
 */
const WorkChecked = z.object({
  type: z.literal("work.checked"),
  command: z.string(),
  proofs: z.record(z.string(), Proof),
});

/** The project check, the final check, or a command that passed before fails; a fix of `task` follows. */
const CheckFailed = z.object({ type: z.literal("check.failed"), task, command: z.string(), error: z.string() });

/** Information for people; it does not affect the run. */
export const Notice = z.object({ type: z.literal("notice"), message: z.string() });
export type Notice = z.infer<typeof Notice>;

/** Events of a run, as charts emit them and `--reporter json` prints them. */
export const RunEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("run.started"),
    spec: z.string(),
    total: count,
    completed: count,
    /** The next task; null if every box is ticked. */
    next: task.nullable(),
    policy: Policy,
    /** Whether the run continues an earlier start. */
    resumed: z.boolean(),
  }),
  /** Command line of a known tool in a role or on a rung, with the rights it was given. */
  z.object({ type: z.literal("executor.chosen"), role: z.enum([...Role.options, ...Rung.options]), line: z.string() }),
  z.object({
    type: z.literal("task.delegated"),
    task,
    title: z.string(),
    role: Role,
    attempt: count,
    key: z.string(),
    iteration: count,
    /** Path of the file with the program's live output; not given for a function. */
    output: z.string().optional(),
  }),
  TaskProgress,
  CheckStarted,
  TaskRaced,
  CheckFailed,
  WorkChecked,
  z.object({ type: z.literal("task.rejected"), task, layer: Layer, reason: z.string() }),
  z.object({
    type: z.literal("task.failed"),
    task,
    failure: z.object({ kind: FailureKind, error: z.string(), attemptedFix: z.string(), status: z.string() }),
    progress: Progress,
  }),
  /** `supersedes`: the fix task that `fix` replaces; null if none. */
  z.object({
    type: z.literal("fix.inserted"),
    task,
    fix: z.string(),
    supersedes: task.nullable(),
    attempts: count,
    limit: count,
  }),
  z.object({
    type: z.literal("task.passed"),
    task,
    attempts: count,
    fixes: z.array(task),
    /** The proof that the task is done. */
    proof: Proof,
    /** For a fix: remaining failures of the planned task, if known. */
    left: Progress.optional(),
  }),
  /** A review has ended; `findings` is empty if it passed. */
  z.object({ type: z.literal("review.ended"), task, round: count, passed: z.boolean(), findings: z.string() }),
  /** Tasks requested by an executor were written into the plan. */
  z.object({ type: z.literal("plan.changed"), task, change: ChangeType, added: z.array(task) }),
  z.object({ type: z.literal("change.refused"), task, reason: z.string() }),
  /** The next remedy after an unaccepted attempt, with the counts that led to the choice. */
  z.object({
    type: z.literal("task.decided"),
    task,
    decision: z.enum([...Rung.options, "gate", "exhausted"]),
    /** Reason why the task is stuck; null if it is not. */
    stuck: StuckReason.nullable(),
    level: Level,
    considered: z.array(Considered),
  }),
  /** Attempt `attempt` of `max` at a stuck level; both numbers are 0 at a checkpoint. */
  z.object({ type: z.literal("level.changed"), task, level: Level, attempt: count, max: count }),
  /** A race has ended; this attempt won. */
  z.object({ type: z.literal("race.ended"), task, attempt: count }),
  z.object({ type: z.literal("repair.chosen"), task, strategy: Strategy, detail: z.string(), budgetLeft: count }),
  /** A repair operator's answer that cannot be followed. */
  z.object({ type: z.literal("repair.refused"), task, reason: z.string() }),
  z.object({ type: z.literal("task.skipped"), task, justification: z.string() }),
  /** A person must decide: embedders answer with `decision.made` or `guidance.given`. */
  z.object({
    type: z.literal("person.asked"),
    task,
    about: QuestionTopic,
    /** The executor's question, or the environment problem; null for other questions. */
    question: z.string().nullable(),
  }),
  z.object({ type: z.literal("run.paused") }),
  z.object({ type: z.literal("run.resumed") }),
  z.object({ type: z.literal("group.started"), tasks: z.array(task) }),
  z.object({ type: z.literal("group.ended"), tasks: z.array(task) }),
  /**
   * The executor is unavailable until `until`, in milliseconds since 1970; null: until a person helps. The error is the
   * tool's own message.
   */
  z.object({ type: z.literal("waiting"), task, reason: FailureKind, until: z.number().nullable(), error: z.string() }),
  /** The branch is on the remote; `head` is a full hash. */
  z.object({ type: z.literal("pr.pushed"), head: z.string() }),
  z.object({ type: z.literal("pr.opened"), number: count, url: z.string(), created: z.boolean() }),
  /** Waiting until `until`: for checks (`checks`), for mergeability (`merge`), or for a forge that cannot answer. */
  z.object({ type: z.literal("pr.waiting"), reason: z.string(), until: z.number() }),
  /** A task for the pull request was added to the plan. */
  z.object({ type: z.literal("pr.task"), task, title: z.string(), about: z.enum(["check", "thread", "conflict"]) }),
  z.object({ type: z.literal("check.rerun"), check: z.string() }),
  /** Checks that passed only in a rerun; may be empty. */
  z.object({ type: z.literal("check.flaky"), checks: z.array(z.string()) }),
  z.object({ type: z.literal("review.answered"), task }),
  z.object({ type: z.literal("pr.ready"), number: count, url: z.string(), head: z.string(), requesting }),
  z.object({ type: z.literal("pr.merged"), number: count, url: z.string(), requesting }),
  Notice,
  RunEnded,
]);
export type RunEvent = z.infer<typeof RunEvent>;
/** An event with its time in ISO 8601, as reporters get it. */
export type TimedRunEvent = RunEvent & { readonly at: string };
