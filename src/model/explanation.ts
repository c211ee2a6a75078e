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
/** The sender; not given for the program itself, or if not recorded. */
const by = Speaker.optional();
/** A fact about a task, recorded or derived. Texts of executors are untrusted. */
export const Fact = z.discriminatedUnion("kind", [
  /** A start of the coordinator, numbered from 1, and its policy changes. */
  z.object({
    kind: z.literal("started"),
    at,
    start: count,
    recovery: z.array(Rung),
    changed: z.array(z.object({ name: z.string(), from: z.unknown(), to: z.unknown() })),
  }),
  /**
   * `released`: the start released the run without recording an end; `killed`: the start recorded neither a release
   * nor an end.
   */
  z.object({
    kind: z.literal("ended"),
    at,
    start: count,
    outcome: z.enum([...RunEnding.options, "released", "killed"]),
    error: z.string().nullable(),
    denial: Denial.nullable(),
    /** The sender that stopped the start. */
    by,
  }),
  /** Attempt number of an executor or verifier; round number of other roles. */
  z.object({
    kind: z.literal("delegated"),
    at,
    task,
    role: Role,
    attempt: count,
    level: Level,
    /** Index of the executor in its chain, from 0. */
    executor: count,
  }),
  /** Usage of an attempt, if its executor reports it. */
  z.object({ kind: z.literal("used"), at, task, attempt: count, usage: Usage, durationMs: z.number() }),
  /** The verdict on a claim, by layer. */
  z.object({
    kind: z.literal("judged"),
    at,
    task,
    attempt: count,
    verdict: Judgement.shape.kind,
    layers: Judgement.shape.layers,
    /** Null if none was recorded. */
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
    /** Null if signs were not checked. */
    signs: Signs.nullable(),
  }),
  z.object({ kind: z.literal("reviewed"), at, task, round: count, passed: z.boolean(), findings: z.string() }),
  /** The decision after an unaccepted attempt: every considered rung, in order. */
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
  /** A run limit that denied another delegation. */
  z.object({ kind: z.literal("denied"), at, task, limit: Limit, max: z.number() }),
  z.object({
    kind: z.literal("inserted"),
    at,
    task,
    fix: task,
    /** The fix task that `fix` replaces; null if none. */
    supersedes: task.nullable(),
    attempts: count,
    limit: count,
  }),
  /** Number of failed checks of the Verify, compared with the previous attempt. */
  z.object({ kind: z.literal("measured"), at, task, progress: Progress.unwrap() }),
  z.object({ kind: z.literal("repaired"), at, task, strategy: Strategy, detail: z.string(), budgetLeft: count }),
  /** A repair operator's answer or a plan change that could not be followed. */
  z.object({ kind: z.literal("refused"), at, task, what: z.enum(["repair", "change"]), reason: z.string() }),
  z.object({ kind: z.literal("changed"), at, task, change: ChangeType, added: z.array(task) }),
  /** The report of a checkpoint was written. */
  z.object({ kind: z.literal("reported"), at, task, path: z.string() }),
  /** A question that stopped the run. */
  z.object({
    kind: z.literal("asked"),
    at,
    task,
    /** Whether a decision or guidance answers the question; if not, the hint says how to answer. */
    decidable: z.boolean(),
    reason: z.string(),
    hint: z.string(),
  }),
  /** A person's input about a task, or about the whole run if the task is null. */
  z.object({ kind: z.literal("told"), at, task: task.nullable(), words: z.string(), by }),
  /** A rejected message from the run's own process; the task is null if unknown. */
  z.object({ kind: z.literal("unheard"), at, task: task.nullable(), ...UnheardWord.shape }),
  z.object({
    kind: z.literal("waited"),
    at,
    task,
    reason: FailureKind,
    /** In milliseconds since 1970; null: until a person helps. */
    until: z.number().nullable(),
  }),
  /** The task is skipped or, if the justification is null, no longer skipped. */
  z.object({ kind: z.literal("skipped"), at, task, justification: z.string().nullable(), by }),
  /** The task's counts restart: a person changed the plan or resumed the task. */
  z.object({ kind: z.literal("reset"), at, task, by }),
  /** The task was added for a pull request. `checks`: the checks that are red for the same reason. */
  z.object({ kind: z.literal("added"), at, task, cause: Cause, checks: z.array(z.string()) }),
  /** An attempt stopped before its claim was judged: nothing was spent. */
  z.object({ kind: z.literal("refunded"), at, task, attempt: count }),
  /** A person fixed the task: its Verify passed at a start, before any delegation. */
  z.object({ kind: z.literal("mended"), at, task, command: z.string(), durationMs: z.number() }),
  /** The task was accepted in its worktree, conflicts with other tasks, and is redone on top of the merged work. */
  z.object({ kind: z.literal("collided"), at, task, files: z.array(z.string()), failed: z.string().nullable() }),
  /** One attempt of a race has ended. */
  z.object({ kind: z.literal("raced"), at, task, attempt: count, outcome: Raced }),
  /** A race has ended; this attempt won. */
  z.object({ kind: z.literal("taken"), at, task, attempt: count }),
  /** Result of the project check for the task, from a run for several tasks. */
  z.object({ kind: z.literal("checked"), at, task, command: z.string(), proof: Proof }),
  /** A command that checks several tasks failed, and this task probably broke it. */
  z.object({ kind: z.literal("broken"), at, task, command: z.string(), error: z.string() }),
  z.object({
    kind: z.literal("passed"),
    at,
    task,
    attempts: count,
    fixes: z.array(task),
    /** The proof that the task is done. */
    proof: Proof,
  }),
]);
export type Fact = z.infer<typeof Fact>;

/** A way to change the outcome. */
export const Way = z.discriminatedUnion("kind", [
  /** Do another task first. */
  z.object({ kind: z.literal("first"), task, command: z.string() }),
  /** Resume the run; nothing else is needed. */
  z.object({ kind: z.literal("run"), command: z.string() }),
  /** Wait: the task is in progress, or waits for an executor until `until`, in milliseconds since 1970. */
  z.object({ kind: z.literal("wait"), until: z.number().nullable() }),
  z.object({ kind: z.literal("raise"), limit: Limit, flag: z.string(), max: z.number(), command: z.string() }),
  /** Allow a remedy that the policy lacks. */
  z.object({ kind: z.literal("allow"), rung: Rung, flag: z.string(), command: z.string() }),
  /** Fix the task by hand: the next start runs its Verify first, and accepts the task if the Verify passes. */
  z.object({ kind: z.literal("mend"), task, command: z.string() }),
  /** Do the task by hand and tick its box; `line` is null if the task is not in the plan. */
  z.object({ kind: z.literal("tick"), task, line: z.int().nullable() }),
  /** Change the task's text to restart the task. */
  z.object({ kind: z.literal("edit"), task, line: z.int().nullable(), command: z.string() }),
  z.object({ kind: z.literal("guide"), command: z.string() }),
  z.object({
    kind: z.literal("decide"),
    decision: PersonDecision.exclude(["stop", "accept"]),
    /** The task that the decision is about: a skipped task, or the planned task. */
    task,
    /** Other tasks that are restored with the task (none if not given). */
    others: z.array(task).optional(),
    command: z.string(),
  }),
  /** Answer the question that stopped the run, as `hint` says. */
  z.object({ kind: z.literal("answer"), hint: z.string() }),
]);
export type Way = z.infer<typeof Way>;

/** Explanation of a task's state, as `fixpoint why --json` prints it. */
export const Explanation = z.object({
  spec: z.string(),
  task,
  /** Title of the task; null if the task is no longer in the plan. */
  title: z.string().nullable(),
  /** The task that this task is a fix or part of; null for a planned task. */
  madeFor: task.nullable(),
  /** `limit`, `checkpoint` and `gate`: why the run stopped at this task. */
  state: z.enum(["passed", "running", "open", "skipped", "limit", "checkpoint", "gate"]),
  /** Whether an attempt is recorded. */
  attempted: z.boolean(),
  /** In order of recording. */
  facts: z.array(Fact),
  /** Empty if the task is done, or no longer in the plan. */
  ways: z.array(Way),
});
export type Explanation = z.infer<typeof Explanation>;
