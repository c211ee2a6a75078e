import * as z from "zod";
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
import { Considered } from "./standing.ts";

/** How a run ended. */
export const RunEnding = z.enum([
  "complete",
  "skipped",
  "limit",
  "checkpoint",
  "gate",
  "cancelled",
  "interrupted",
  "environment",
  /** It can only wait: until what is handed out is reported, or until a time. */
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

/** How much of a task's checks fail after an attempt; null where no tool names or counts them. */
export const Progress = z
  .object({
    failing: z.int().min(1),
    /** Checks that were run; null when nobody says. */
    of: z.int().nullable(),
    /** How many failed at the attempt before; null at the first, or when that did not say. */
    was: z.int().nullable(),
    change: Change,
    /** Checks that fail no more, and that fail only now; of many the first. */
    lost: z.array(z.string()),
    gained: z.array(z.string()),
    /** The fewest that failed so far in this stage. */
    best: z.int(),
  })
  .nullable();
export type Progress = z.infer<typeof Progress>;

const task = z.string();
const count = z.int().min(0);

/** Reviewers who still request changes; not given without any. */
const requesting = z.array(z.string()).optional();

/** The last event of a start. */
export const RunEnded = z.object({
  type: z.literal("run.ended"),
  outcome: RunEnding,
  exitCode: z.int(),
  /** Tasks of the planner and fix tasks in the plan, and tasks that were added for the pull request. */
  original: count,
  fixes: count,
  added: count.optional(),
  /** Delegations of the whole run. */
  attempts: count,
  /** Those to the repair operator among them. */
  toOperator: count.optional(),
  skipped: z.array(task),
  /** Boxes that the plan itself leaves aside, each with why; not given for none. */
  leftOpen: z.array(z.object({ task, why: z.enum(["optional", "deferred", "person", "criterion"]) })).optional(),
  /** What has shown that the planned tasks are done which this run has accepted; not given where it has none. */
  proofs: Proofs.optional(),
  /** Checks that failed before the run, and were to count for nothing in it. */
  knownFailures: z.array(z.string()).optional(),
  /** Fix tasks that others have taken the place of. */
  superseded: z.array(task).optional(),
  /** A phase about a pull request: the run does its tasks, but opens no pull request for it. */
  pullRequest: PullRequestPhase.optional(),
  /** The pull request that the run has made or watched. */
  shipped: z.object({ number: count, url: z.string(), requesting }).optional(),
  /** Boxes that were ticked before the run began or by hand while it was stopped. */
  tickedByHand: count,
  durationMs: count,
  costUsd: z.number().optional(),
  tokens: z.int().optional(),
  /** What it has cost by the rung that led to it, where executors tell and there is more than one. */
  spent: SpentByPurpose.optional(),
  /** Whether whatever was asked was agreed to in advance. */
  acceptedAny: z.boolean().optional(),
  error: z.string().optional(),
  hint: z.string().optional(),
});
export type RunEnded = z.infer<typeof RunEnded>;

/** What is seen of the work on an attempt while it goes on. */
export const TaskProgress = z.object({
  type: z.literal("task.progress"),
  task,
  /** Of the delegation. */
  key: z.string(),
  /** `work`: its executor is at it; `verify`: the coordinator runs the command that checks it. */
  stage: z.enum(["work", "verify"]),
  /** What the executor uses; null when it does not say. */
  tool: z.string().nullable(),
  /** What it does with that, says or prints, or the command that is run; null when nothing is known. */
  line: z.string().nullable(),
  /** Tokens of the delegation so far; null when it does not say. */
  tokens: count.nullable(),
  /** Since the stage began. */
  seconds: count,
});
export type TaskProgress = z.infer<typeof TaskProgress>;

/** A command has begun that checks the work of several tasks, or of all: the final check where nothing else is given. */
export const CheckStarted = z.object({
  type: z.literal("check.started"),
  command: z.string(),
  /** The task that the command has proven, which it checks once more; not given for the final check. */
  task: task.optional(),
  /** It is the check of the project, of `--verify`. */
  ofProject: z.literal(true).optional(),
});
export type CheckStarted = z.infer<typeof CheckStarted>;

/** One of a race has ended. */
export const TaskRaced = z.object({ type: z.literal("task.raced"), task, attempt: count, outcome: Raced });
export type TaskRaced = z.infer<typeof TaskRaced>;

/** The check of the project has passed, or what fails is left to later tasks: what it says of the tasks it was run for. */
const WorkChecked = z.object({
  type: z.literal("work.checked"),
  command: z.string(),
  proofs: z.record(z.string(), Proof),
});

/** A command that had passed, the check of the project, or the final check fails; a fix of `task` follows. */
const CheckFailed = z.object({ type: z.literal("check.failed"), task, command: z.string(), error: z.string() });

/** Something a person should know that changes nothing. */
export const Notice = z.object({ type: z.literal("notice"), message: z.string() });
export type Notice = z.infer<typeof Notice>;

/** What happens in a run, as charts emit it and as `--reporter json` prints it. */
export const RunEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("run.started"),
    spec: z.string(),
    total: count,
    completed: count,
    /** The task it goes on with; null when every box is ticked. */
    next: task.nullable(),
    policy: Policy,
    /** Whether it goes on from an earlier start. */
    resumed: z.boolean(),
  }),
  /** The line that a known tool is called with in a role or on a rung, with the rights that it was given. */
  z.object({ type: z.literal("executor.chosen"), role: z.enum([...Role.options, ...Rung.options]), line: z.string() }),
  z.object({
    type: z.literal("task.delegated"),
    task,
    title: z.string(),
    role: Role,
    attempt: count,
    key: z.string(),
    iteration: count,
    /** Path of the file that a program prints into meanwhile; not given for a function. */
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
  /** `supersedes`: the fix task whose place it takes; null when it takes none. */
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
    /** What has shown that it is done. */
    proof: Proof,
    /** What still fails of the planned task that it is a fix for, where that is known. */
    left: Progress.optional(),
  }),
  /** A review of what was done; `findings` is empty when it passed. */
  z.object({ type: z.literal("review.ended"), task, round: count, passed: z.boolean(), findings: z.string() }),
  /** Tasks that an executor asked for were written into the plan. */
  z.object({ type: z.literal("plan.changed"), task, change: ChangeType, added: z.array(task) }),
  z.object({ type: z.literal("change.refused"), task, reason: z.string() }),
  /** What is tried next after an attempt that was not accepted, and the counts that say so. */
  z.object({
    type: z.literal("task.decided"),
    task,
    decision: z.enum([...Rung.options, "gate", "exhausted"]),
    /** Why it counts as stuck; null when it does not. */
    stuck: StuckReason.nullable(),
    level: Level,
    considered: z.array(Considered),
  }),
  /** Attempt `attempt` of `max` at a level of being stuck; a checkpoint has none. */
  z.object({ type: z.literal("level.changed"), task, level: Level, attempt: count, max: count }),
  /** A race is over: the work of this attempt is gone on with. */
  z.object({ type: z.literal("race.ended"), task, attempt: count }),
  z.object({ type: z.literal("repair.chosen"), task, strategy: Strategy, detail: z.string(), budgetLeft: count }),
  /** An answer of the repair operator that cannot be followed. */
  z.object({ type: z.literal("repair.refused"), task, reason: z.string() }),
  z.object({ type: z.literal("task.skipped"), task, justification: z.string() }),
  /** A person has to decide: embedders answer with `decision.made` or `guidance.given`. */
  z.object({
    type: z.literal("person.asked"),
    task,
    about: QuestionTopic,
    /** What the executor asks, or what is wrong with the environment; null for the other questions. */
    question: z.string().nullable(),
  }),
  z.object({ type: z.literal("run.paused") }),
  z.object({ type: z.literal("run.resumed") }),
  z.object({ type: z.literal("group.started"), tasks: z.array(task) }),
  z.object({ type: z.literal("group.ended"), tasks: z.array(task) }),
  /**
   * The executor cannot work until then, in milliseconds since 1970; null: until a person has dealt with it. The error is
   * what the tool itself has said.
   */
  z.object({ type: z.literal("waiting"), task, reason: FailureKind, until: z.number().nullable(), error: z.string() }),
  /** The branch stands on the remote. Hashes are full. */
  z.object({ type: z.literal("pr.pushed"), head: z.string() }),
  z.object({ type: z.literal("pr.opened"), number: count, url: z.string(), created: z.boolean() }),
  /** Checks run (`checks`), the forge finds out whether it can be merged (`merge`), or it cannot answer, until then. */
  z.object({ type: z.literal("pr.waiting"), reason: z.string(), until: z.number() }),
  /** A task was added to the plan. */
  z.object({ type: z.literal("pr.task"), task, title: z.string(), about: z.enum(["check", "thread", "conflict"]) }),
  z.object({ type: z.literal("check.rerun"), check: z.string() }),
  /** Checks that have passed only when they were run again; none of them may be. */
  z.object({ type: z.literal("check.flaky"), checks: z.array(z.string()) }),
  z.object({ type: z.literal("review.answered"), task }),
  z.object({ type: z.literal("pr.ready"), number: count, url: z.string(), head: z.string(), requesting }),
  z.object({ type: z.literal("pr.merged"), number: count, url: z.string(), requesting }),
  Notice,
  RunEnded,
]);
export type RunEvent = z.infer<typeof RunEvent>;
/** An event with the time at which it was seen, ISO 8601, as reporters get it. */
export type TimedRunEvent = RunEvent & { readonly at: string };
