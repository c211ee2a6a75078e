import * as z from "zod";
import { Considered, StuckCounts } from "./decision.ts";
import { Strategy } from "./directive.ts";
import { Level, StuckReason } from "./escalation.ts";
import { Progress, RunEnding } from "./event.ts";
import { Judgement, Proof } from "./evidence.ts";
import { FailureKind, Signs } from "./failure.ts";
import { Denial, Limit } from "./limits.ts";
import { PersonDecision, Speaker, UnheardWord } from "./person-event.ts";
import { Cause } from "./pull-request.ts";
import { ChangeType, Raced, Usage } from "./reply.ts";
import { Role } from "./role.ts";
import { Rung } from "./rung.ts";

/** Time of the record, ISO 8601. */
const at = z.string();
const task = z.string();
const count = z.int().min(0);
/** Sender; not given for fixpoint itself, and in records without a sender. */
const by = Speaker.optional();
/** A fact about a task, recorded or derived. Texts of executors are untrusted. */
export const Fact = z.discriminatedUnion("kind", [
  /** A start of the run, numbered from 1, with its policy changes. */
  z.object({
    kind: z.literal("started"),
    at,
    start: count,
    recovery: z.array(Rung),
    changed: z.array(z.object({ name: z.string(), from: z.unknown(), to: z.unknown() })),
  }),
  /**
   * The start ended. `released`: the start released the spec without recording an outcome; `killed`: the start recorded
   * neither a release nor an outcome.
   */
  z.object({
    kind: z.literal("ended"),
    at,
    start: count,
    outcome: z.enum([...RunEnding.options, "released", "killed"]),
    error: z.string().nullable(),
    denial: Denial.nullable(),
    by,
  }),
  /**
   * `attempt` is the number of the attempt at the task for executors and verifiers; for other roles, it is the number
   * of the round.
   */
  z.object({
    kind: z.literal("delegated"),
    at,
    task,
    role: Role,
    attempt: count,
    level: Level,
    /** Index in the chain of executors, from 0. */
    executor: count,
  }),
  z.object({ kind: z.literal("used"), at, task, attempt: count, usage: Usage, durationMs: z.number() }),
  z.object({
    kind: z.literal("judged"),
    at,
    task,
    attempt: count,
    verdict: Judgement.shape.kind,
    layers: Judgement.shape.layers,
    /** Null if no evidence was recorded. */
    evidence: Judgement.shape.evidence.nullable(),
    verify: z.object({ command: z.string(), durationMs: z.number() }).nullable(),
  }),
  z.object({
    kind: z.literal("failed"),
    at,
    task,
    attempt: count,
    failure: z.object({
      kind: FailureKind,
      error: z.string(),
      attemptedFix: z.string(),
      status: z.string(),
      fingerprint: z.string(),
    }),
    /** Null if signs were not collected. */
    signs: Signs.nullable(),
  }),
  z.object({ kind: z.literal("reviewed"), at, task, round: count, passed: z.boolean(), findings: z.string() }),
  /** Decision after a failed or rejected attempt, with all considered rungs in order. */
  z.object({
    kind: z.literal("decided"),
    at,
    task,
    decision: z.enum([...Rung.options, "gate", "exhausted"]),
    stuck: StuckReason.nullable(),
    level: Level,
    considered: z.array(Considered),
    counts: StuckCounts,
  }),
  z.object({ kind: z.literal("denied"), at, task, limit: Limit, max: z.number() }),
  z.object({
    kind: z.literal("inserted"),
    at,
    task,
    fix: task,
    /** Fix task that `fix` replaces; null if it replaces none. */
    supersedes: task.nullable(),
    attempts: count,
    limit: count,
  }),
  /** Number of checks that failed in Verify, compared with the previous attempt. */
  z.object({ kind: z.literal("measured"), at, task, progress: Progress.unwrap() }),
  z.object({ kind: z.literal("repaired"), at, task, strategy: Strategy, detail: z.string(), budgetLeft: count }),
  /** The directive of a repair operator, or the plan change of an executor, was refused. */
  z.object({ kind: z.literal("refused"), at, task, what: z.enum(["repair", "change"]), reason: z.string() }),
  z.object({ kind: z.literal("changed"), at, task, change: ChangeType, added: z.array(task) }),
  z.object({ kind: z.literal("reported"), at, task, path: z.string() }),
  z.object({
    kind: z.literal("asked"),
    at,
    task,
    /** Whether a decision or guidance can answer the question; otherwise `hint` says what to do. */
    decidable: z.boolean(),
    reason: z.string(),
    hint: z.string(),
  }),
  /** Input of a person about a task, or about the whole run if `task` is null. */
  z.object({ kind: z.literal("told"), at, task: task.nullable(), words: z.string(), by }),
  /** A message to the running process was rejected; `task` is null if unknown. */
  z.object({ kind: z.literal("unheard"), at, task: task.nullable(), ...UnheardWord.shape }),
  z.object({
    kind: z.literal("waited"),
    at,
    task,
    reason: FailureKind,
    /** Milliseconds since 1970; null: until a person helps. */
    until: z.number().nullable(),
  }),
  /** A task was skipped or, if `justification` is null, is no longer skipped. */
  z.object({ kind: z.literal("skipped"), at, task, justification: z.string().nullable(), by }),
  /** The counts of a task start again at 0, since a person changed the plan or resumed the task. */
  z.object({ kind: z.literal("reset"), at, task, by }),
  /** A task was added for a pull request. `checks` are the red checks with the same cause. */
  z.object({ kind: z.literal("added"), at, task, cause: Cause, checks: z.array(z.string()) }),
  /** An attempt ended before its claim was judged; it does not count. */
  z.object({ kind: z.literal("refunded"), at, task, attempt: count }),
  /** A person fixed the task: its Verify passed at the beginning of a start, before any delegation. */
  z.object({ kind: z.literal("mended"), at, task, command: z.string(), durationMs: z.number() }),
  /**
   * The task was accepted in its worktree, but its changes conflict with other tasks. The task is done again on the
   * merged work.
   */
  z.object({ kind: z.literal("collided"), at, task, files: z.array(z.string()), failed: z.string().nullable() }),
  z.object({ kind: z.literal("raced"), at, task, attempt: count, outcome: Raced }),
  /** `attempt` won a race. */
  z.object({ kind: z.literal("taken"), at, task, attempt: count }),
  /** Result of a project check that covers the task and other tasks. */
  z.object({ kind: z.literal("checked"), at, task, command: z.string(), proof: Proof }),
  /** A command that checks several tasks failed; this task probably broke it. */
  z.object({ kind: z.literal("broken"), at, task, command: z.string(), error: z.string() }),
  z.object({
    kind: z.literal("passed"),
    at,
    task,
    attempts: count,
    fixes: z.array(task),
    proof: Proof,
  }),
]);
export type Fact = z.infer<typeof Fact>;

export const Way = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("first"), task, command: z.string() }),
  /** Resume the run; nothing else is needed. */
  z.object({ kind: z.literal("run"), command: z.string() }),
  /** Wait: the task is running, or its executor is unavailable until `until` (milliseconds since 1970). */
  z.object({ kind: z.literal("wait"), until: z.number().nullable() }),
  z.object({ kind: z.literal("raise"), limit: Limit, flag: z.string(), max: z.number(), command: z.string() }),
  /** Allow a rung that the policy lacks. */
  z.object({ kind: z.literal("allow"), rung: Rung, flag: z.string(), command: z.string() }),
  /** Fix the task by hand. The next start runs the Verify of the task, and accepts the task if Verify passes. */
  z.object({ kind: z.literal("mend"), task, command: z.string() }),
  /** Do the task by hand and tick its box; `line` is null if the task is not in the plan. */
  z.object({ kind: z.literal("tick"), task, line: z.int().nullable() }),
  /** Change the text of the task. The counts of the task then start again at 0. */
  z.object({ kind: z.literal("edit"), task, line: z.int().nullable(), command: z.string() }),
  z.object({ kind: z.literal("guide"), command: z.string() }),
  z.object({
    kind: z.literal("decide"),
    decision: PersonDecision.exclude(["stop", "accept"]),
    /** The task that the decision is about: a skipped task, or the planned task. */
    task,
    /** Other tasks that are restored together with `task`; not given if there are none. */
    others: z.array(task).optional(),
    command: z.string(),
  }),
  /** Answer the question that stopped the run; `hint` says how. */
  z.object({ kind: z.literal("answer"), hint: z.string() }),
]);
export type Way = z.infer<typeof Way>;

/** State of a task and the reasons for it, as `fixpoint why --json` prints them. */
export const Explanation = z.object({
  spec: z.string(),
  task,
  title: z.string().nullable(),
  /** Task that this fix task repairs or this part belongs to; null for a planned task. */
  madeFor: task.nullable(),
  /** `limit`, `checkpoint` and `gate` say why the run stopped at this task. */
  state: z.enum(["passed", "running", "open", "skipped", "limit", "checkpoint", "gate"]),
  attempted: z.boolean(),
  /** In order of recording. */
  facts: z.array(Fact),
  /** Empty if the task is done or not in the plan. */
  ways: z.array(Way),
});
export type Explanation = z.infer<typeof Explanation>;
