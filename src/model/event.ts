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

export const RunEnding = z.enum([
  "complete",
  "skipped",
  "limit",
  "checkpoint",
  "gate",
  "cancelled",
  "interrupted",
  "environment",
  /** The run can only wait: for reports of handed-out work, or until a certain time. */
  "waiting",
]);
export type RunEnding = z.infer<typeof RunEnding>;

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

/** Number of the task's checks that fail after an attempt; null if no tool names or counts checks. */
export const Progress = z
  .object({
    failing: z.int().min(1),
    /** Number of checks run; null if unknown. */
    of: z.int().nullable(),
    /** Number of failures after the previous attempt; null if unknown, and for a first attempt. */
    was: z.int().nullable(),
    change: Change,
    /** Names of checks that failed after the previous attempt and do not fail now; a long list is cut. */
    lost: z.array(z.string()),
    /** Names of checks that fail now and did not fail after the previous attempt; a long list is cut. */
    gained: z.array(z.string()),
    /** Lowest number of failures so far in this stage. */
    best: z.int(),
  })
  .nullable();
export type Progress = z.infer<typeof Progress>;

const task = z.string();
const count = z.int().min(0);

/** Reviewers who still request changes; not given if no one does. */
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
  /** Delegations of all starts of the run. */
  attempts: count,
  /** Delegations to the repair operator, which `attempts` includes. */
  toOperator: count.optional(),
  skipped: z.array(task),
  /** Open boxes that are not delegated, each with the reason; not given if there are none. */
  leftOpen: z
    .array(z.object({ task, why: z.enum(["optional", "deferred", "person", "criterion", "step"]) }))
    .optional(),
  /** Proofs of planned tasks that this run accepted; not given if it accepted none. */
  proofs: Proofs.optional(),
  /** Names of checks that failed before the run and are ignored. */
  knownFailures: z.array(z.string()).optional(),
  superseded: z.array(task).optional(),
  /** Phase of the plan about a pull request. The run does the tasks of this phase, but opens no pull request. */
  pullRequest: PullRequestPhase.optional(),
  shipped: z.object({ number: count, url: z.string(), requesting }).optional(),
  /** Number of boxes ticked before the run, or by hand while it was stopped. */
  tickedByHand: count,
  durationMs: count,
  costUsd: z.number().optional(),
  tokens: z.int().optional(),
  /** Costs by rung; only if executors report costs and the run used several rungs. */
  spent: SpentByPurpose.optional(),
  /** Whether the user accepted all questions in advance. */
  acceptedAny: z.boolean().optional(),
  error: z.string().optional(),
  hint: z.string().optional(),
});
export type RunEnded = z.infer<typeof RunEnded>;

export const TaskProgress = z.object({
  type: z.literal("task.progress"),
  task,
  /** Key of the `delegate` effect. */
  key: z.string(),
  /** `work`: the executor works; `verify`: the check command runs. */
  stage: z.enum(["work", "verify"]),
  /** Tool that the executor uses now; null if unknown. */
  tool: z.string().nullable(),
  /** Action, text or output of that tool, or the check command; null if unknown. */
  line: z.string().nullable(),
  tokens: count.nullable(),
  /** Seconds since the stage began. */
  seconds: count,
});
export type TaskProgress = z.infer<typeof TaskProgress>;

/**
 * A command that checks several or all tasks starts. If neither `task` nor `ofProject` is given, the command is the
 * final check.
 */
export const CheckStarted = z.object({
  type: z.literal("check.started"),
  command: z.string(),
  /** Task that this command proved before; not given for other checks. */
  task: task.optional(),
  /** Set for the project check, from `--verify`. */
  ofProject: z.literal(true).optional(),
});
export type CheckStarted = z.infer<typeof CheckStarted>;

export const TaskRaced = z.object({ type: z.literal("task.raced"), task, attempt: count, outcome: Raced });
export type TaskRaced = z.infer<typeof TaskRaced>;

/**
 * Result of a project check for the tasks that it covers: the check passed, or later tasks have to repair its failures.
 */
const WorkChecked = z.object({
  type: z.literal("work.checked"),
  command: z.string(),
  proofs: z.record(z.string(), Proof),
});

/** The project check, the final check or a command that passed before has failed. A fix task for `task` follows. */
const CheckFailed = z.object({ type: z.literal("check.failed"), task, command: z.string(), error: z.string() });

/** A message to people; it does not affect the run. */
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
    /** Whether an earlier start of this run exists. */
    resumed: z.boolean(),
    /** Fix tasks that earlier starts replaced by other fix tasks; not given if there are none. */
    superseded: z.array(task).optional(),
  }),
  /** Command line of a known tool for a role or a rung, with the tool's rights. */
  z.object({ type: z.literal("executor.chosen"), role: z.enum([...Role.options, ...Rung.options]), line: z.string() }),
  z.object({
    type: z.literal("task.delegated"),
    task,
    title: z.string(),
    role: Role,
    attempt: count,
    key: z.string(),
    iteration: count,
    /** Path of a file with the live output of the executor; not given for an executor that is a function. */
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
  /** `supersedes` is the fix task that `fix` replaces; null if it replaces none. */
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
    proof: Proof,
    /**
     * For a task that no command has verified: whether the project check verifies it at the end of its phase or of the
     * run.
     */
    later: z.enum(["phase", "end"]).optional(),
    /** For a fix task: remaining failures of the planned task, if known. */
    left: Progress.optional(),
  }),
  /** `findings` is empty if the review passed. */
  z.object({ type: z.literal("review.ended"), task, round: count, passed: z.boolean(), findings: z.string() }),
  z.object({ type: z.literal("plan.changed"), task, change: ChangeType, added: z.array(task) }),
  z.object({ type: z.literal("change.refused"), task, reason: z.string() }),
  /** The next remedy after a failed or rejected attempt, with the counts on which the choice is based. */
  z.object({
    type: z.literal("task.decided"),
    task,
    decision: z.enum([...Rung.options, "gate", "exhausted"]),
    /** Null if the task is not stuck. */
    stuck: StuckReason.nullable(),
    level: Level,
    considered: z.array(Considered),
  }),
  /** Attempt `attempt` of at most `max` at the level; both are 0 at a checkpoint. */
  z.object({ type: z.literal("level.changed"), task, level: Level, attempt: count, max: count }),
  /** `attempt` won a race. */
  z.object({ type: z.literal("race.ended"), task, attempt: count }),
  z.object({ type: z.literal("repair.chosen"), task, strategy: Strategy, detail: z.string(), budgetLeft: count }),
  z.object({ type: z.literal("repair.refused"), task, reason: z.string() }),
  z.object({ type: z.literal("task.skipped"), task, justification: z.string() }),
  /** A person must decide. Embedders answer with `decision.made` or `guidance.given`. */
  z.object({
    type: z.literal("person.asked"),
    task,
    about: QuestionTopic,
    /** Question of the executor, or problem of the environment; null for other questions. */
    question: z.string().nullable(),
  }),
  z.object({ type: z.literal("run.paused") }),
  z.object({ type: z.literal("run.resumed") }),
  z.object({ type: z.literal("group.started"), tasks: z.array(task) }),
  z.object({ type: z.literal("group.ended"), tasks: z.array(task) }),
  /**
   * The executor is unavailable until `until` (milliseconds since 1970), or until a person helps if `until` is null.
   * `error` is the message of the executor's tool.
   */
  z.object({ type: z.literal("waiting"), task, reason: FailureKind, until: z.number().nullable(), error: z.string() }),
  /** The branch was pushed; `head` is a full hash. */
  z.object({ type: z.literal("pr.pushed"), head: z.string() }),
  z.object({ type: z.literal("pr.opened"), number: count, url: z.string(), created: z.boolean() }),
  /**
   * The run waits until `until` (milliseconds since 1970) for checks, for mergeability, or for a forge that cannot
   * answer.
   */
  z.object({ type: z.literal("pr.waiting"), reason: z.string(), until: z.number() }),
  z.object({ type: z.literal("pr.task"), task, title: z.string(), about: z.enum(["check", "thread", "conflict"]) }),
  z.object({ type: z.literal("check.rerun"), check: z.string() }),
  /** Names of checks that failed and then passed in a rerun; may be empty. */
  z.object({ type: z.literal("check.flaky"), checks: z.array(z.string()) }),
  z.object({ type: z.literal("review.answered"), task }),
  z.object({ type: z.literal("pr.ready"), number: count, url: z.string(), head: z.string(), requesting }),
  z.object({ type: z.literal("pr.merged"), number: count, url: z.string(), requesting }),
  Notice,
  RunEnded,
]);
export type RunEvent = z.infer<typeof RunEvent>;
/** An event with its time (ISO 8601), as reporters receive it. */
export type TimedRunEvent = RunEvent & { readonly at: string };
