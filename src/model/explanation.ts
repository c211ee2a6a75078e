import * as z from "zod";
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
import { Considered, StuckCounts } from "./standing.ts";

/** When it was recorded, ISO 8601. */
const at = z.string();
const task = z.string();
const count = z.int().min(0);
/** Who has said so; not given for the program itself, and where that is not recorded. */
const by = Speaker.optional();
/** One thing that is recorded about a task, or follows from what is. Texts of executors are untrusted. */
export const Fact = z.discriminatedUnion("kind", [
  /** A start of the coordinator, numbered from 1, and what its policy changes. */
  z.object({
    kind: z.literal("started"),
    at,
    start: count,
    recovery: z.array(Rung),
    changed: z.array(z.object({ name: z.string(), from: z.unknown(), to: z.unknown() })),
  }),
  /** `released`: it let go without an end; `killed`: it did not even do that. */
  z.object({
    kind: z.literal("ended"),
    at,
    start: count,
    outcome: z.enum([...RunEnding.options, "released", "killed"]),
    error: z.string().nullable(),
    denial: Denial.nullable(),
    /** Who has stopped it. */
    by,
  }),
  /** Attempt number `attempt` of an executor or a verifier; the round of anybody else. */
  z.object({
    kind: z.literal("delegated"),
    at,
    task,
    role: Role,
    attempt: count,
    level: Level,
    /** Which executor of a chain, counted from 0. */
    executor: count,
  }),
  /** What an attempt has used, where its executor tells. */
  z.object({ kind: z.literal("used"), at, task, attempt: count, usage: Usage, durationMs: z.number() }),
  /** The verdict on a claim, by layer. */
  z.object({
    kind: z.literal("judged"),
    at,
    task,
    attempt: count,
    verdict: Judgement.shape.kind,
    layers: Judgement.shape.layers,
    /** Null where none was recorded. */
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
    /** Null where nobody looked for them. */
    signs: Signs.nullable(),
  }),
  z.object({ kind: z.literal("reviewed"), at, task, round: count, passed: z.boolean(), findings: z.string() }),
  /** The next move after an attempt that was not accepted: every rung that was looked at, in order. */
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
  /** A limit of the whole run that allowed no further delegation. */
  z.object({ kind: z.literal("denied"), at, task, limit: Limit, max: z.number() }),
  z.object({
    kind: z.literal("inserted"),
    at,
    task,
    fix: task,
    /** The fix task whose place it takes; null when it takes none. */
    supersedes: task.nullable(),
    attempts: count,
    limit: count,
  }),
  /** How much of what Verify checks failed, and how that came out of the attempt before. */
  z.object({ kind: z.literal("measured"), at, task, progress: Progress.unwrap() }),
  z.object({ kind: z.literal("repaired"), at, task, strategy: Strategy, detail: z.string(), budgetLeft: count }),
  /** An answer of the repair operator, or a change of the plan, that could not be followed. */
  z.object({ kind: z.literal("refused"), at, task, what: z.enum(["repair", "change"]), reason: z.string() }),
  z.object({ kind: z.literal("changed"), at, task, change: ChangeType, added: z.array(task) }),
  /** The report of a checkpoint was written. */
  z.object({ kind: z.literal("reported"), at, task, path: z.string() }),
  /** A question that stopped the run. */
  z.object({
    kind: z.literal("asked"),
    at,
    task,
    /** Whether a decision or advice answers it; else it is answered as the hint says. */
    decidable: z.boolean(),
    reason: z.string(),
    hint: z.string(),
  }),
  /** What a person has said: about a task, or to the whole run when that is null. */
  z.object({ kind: z.literal("told"), at, task: task.nullable(), words: z.string(), by }),
  /** What a call of the run itself has said to it, which was refused; the task is null where that is not known. */
  z.object({ kind: z.literal("unheard"), at, task: task.nullable(), ...UnheardWord.shape }),
  z.object({
    kind: z.literal("waited"),
    at,
    task,
    reason: FailureKind,
    /** In milliseconds since 1970; null: until a person has dealt with it. */
    until: z.number().nullable(),
  }),
  /** It is left out; not any more when there is no justification. */
  z.object({ kind: z.literal("skipped"), at, task, justification: z.string().nullable(), by }),
  /** Its counts begin anew: a person has changed the plan, or has taken it up again. */
  z.object({ kind: z.literal("reset"), at, task, by }),
  /** It was added to the plan for a pull request. `checks`: those that are red for the same reason. */
  z.object({ kind: z.literal("added"), at, task, cause: Cause, checks: z.array(z.string()) }),
  /** An attempt that was stopped before its claim was judged: it spent nothing. */
  z.object({ kind: z.literal("refunded"), at, task, attempt: count }),
  /** A person has mended it: its Verify has passed at a start, before anything was delegated. */
  z.object({ kind: z.literal("mended"), at, task, command: z.string(), durationMs: z.number() }),
  /** It was accepted apart from others, and is done once more on top of them. */
  z.object({ kind: z.literal("collided"), at, task, files: z.array(z.string()), failed: z.string().nullable() }),
  /** One of a race has ended. */
  z.object({ kind: z.literal("raced"), at, task, attempt: count, outcome: Raced }),
  /** A race is over: the work of this attempt is gone on with. */
  z.object({ kind: z.literal("taken"), at, task, attempt: count }),
  /** What the check of the project says of it, which has run for several tasks. */
  z.object({ kind: z.literal("checked"), at, task, command: z.string(), proof: Proof }),
  /** A command that checks more than one task failed, and this one is taken to have broken it. */
  z.object({ kind: z.literal("broken"), at, task, command: z.string(), error: z.string() }),
  z.object({
    kind: z.literal("passed"),
    at,
    task,
    attempts: count,
    fixes: z.array(task),
    /** What has shown that it is done. */
    proof: Proof,
  }),
]);
export type Fact = z.infer<typeof Fact>;

/** Something that would lead to another outcome. */
export const Way = z.discriminatedUnion("kind", [
  /** Another task is up first, or the run only has to go on. */
  z.object({ kind: z.literal("first"), task, command: z.string() }),
  z.object({ kind: z.literal("run"), command: z.string() }),
  /** It is under way; until a time in milliseconds since 1970 where an executor waits for one. */
  z.object({ kind: z.literal("wait"), until: z.number().nullable() }),
  z.object({ kind: z.literal("raise"), limit: Limit, flag: z.string(), max: z.number(), command: z.string() }),
  /** A remedy that the policy does not have. */
  z.object({ kind: z.literal("allow"), rung: Rung, flag: z.string(), command: z.string() }),
  /** Mend it by hand: a start runs its Verify first, and takes a pass. */
  z.object({ kind: z.literal("mend"), task, command: z.string() }),
  /** Do it by hand and tick its box; the line is null for one that stands in no plan. */
  z.object({ kind: z.literal("tick"), task, line: z.int().nullable() }),
  /** Change its text, so that it begins anew. */
  z.object({ kind: z.literal("edit"), task, line: z.int().nullable(), command: z.string() }),
  z.object({ kind: z.literal("guide"), command: z.string() }),
  z.object({
    kind: z.literal("decide"),
    decision: PersonDecision.exclude(["stop", "accept"]),
    /** What the decision is about: what is left out, or the planned task. */
    task,
    /** Other tasks that are taken up with it (none when not given). */
    others: z.array(task).optional(),
    command: z.string(),
  }),
  /** As the question that stopped the run says. */
  z.object({ kind: z.literal("answer"), hint: z.string() }),
]);
export type Way = z.infer<typeof Way>;

/** Why a task is where it is, as `fixpoint why --json` prints it. */
export const Explanation = z.object({
  spec: z.string(),
  task,
  /** What it is to do; null when the plan does not have it any more. */
  title: z.string().nullable(),
  /** The task it was made for, as its fix or as a part of it; null for a planned task. */
  madeFor: task.nullable(),
  /** `limit`, `checkpoint` and `gate`: what the run has stopped at there. */
  state: z.enum(["passed", "running", "open", "skipped", "limit", "checkpoint", "gate"]),
  /** Whether anybody has worked on it, as far as is recorded. */
  attempted: z.boolean(),
  /** In the order in which they were recorded. */
  facts: z.array(Fact),
  /** Empty for one that is done, or not in the plan any more. */
  ways: z.array(Way),
});
export type Explanation = z.infer<typeof Explanation>;
