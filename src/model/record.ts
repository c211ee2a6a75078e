import * as z from "zod";
import { Before, VerifyRecord } from "./check-run.ts";
import { type Answer, type EffectName, effects } from "./effect.ts";
import { Level } from "./escalation.ts";
import { RunEnded } from "./event.ts";
import { Judgement } from "./evidence.ts";
import { FixTask } from "./failure.ts";
import { Baseline, GitMark } from "./git-evidence.ts";
import { Denial } from "./limits.ts";
import { PersonEvent, Speaker, UnheardWord } from "./person-event.ts";
import type { PlanChange } from "./plan-change.ts";
import { Cause } from "./pull-request.ts";
import { ChangeType, Reply, Usage } from "./reply.ts";
import { Role } from "./role.ts";
import { Rung } from "./rung.ts";

const kept = z.string();

/** The recorded form of an attempt's reply. */
export const ReplyRecord = Reply.extend({
  /** The text if it is short; null if it is stored in the run's output folder. */
  text: kept.nullable(),
  headBefore: z.string().nullable(),
  mark: GitMark.nullable().optional(),
  fileState: z.string().nullable().optional(),
  /** Name of the workspace content afterwards; not given if unknown. */
  tree: z.string().optional(),
});
export type ReplyRecord = z.infer<typeof ReplyRecord>;

/** A reviewer's answer, as recorded. */
const ReviewRecord = z.object({
  verdict: z.enum(["pass", "fail", "none"]),
  code: kept,
  spec: kept,
  round: z.int(),
  usage: Usage.optional(),
});

/** The sender; not given for the program itself, and in older records. */
const by = Speaker.optional();

const text = z.string().optional();

/** A change of the plan, as recorded. */
const PlanChangeRecord = z.object({
  task: z.string(),
  place: z.enum(["before", "behind"]),
  tick: z.boolean().optional(),
  tasks: z.array(
    z.object({
      id: z.string(),
      markers: z.array(z.string()),
      title: z.string(),
      fields: z.object({ do: text, files: text, doneWhen: text, verify: text, commit: text }),
      quotes: z.array(z.object({ label: z.string(), text: z.string() })).optional(),
    }),
  ),
}) as unknown as z.ZodType<PlanChange>;

/** Facts recorded with an answer, or with a verdict that is recorded before its answer. */
const verdict = {
  verify: VerifyRecord.optional(),
  reality: VerifyRecord.optional(),
  judgement: Judgement.optional(),
};

const facts = {
  ...verdict,
  reply: ReplyRecord.optional(),
  review: ReviewRecord.optional(),
  /** Usage of a delegation whose reply is not recorded. */
  usage: Usage.optional(),
  by,
};

/** The answer of an effect, in the effect's own form. */
type AnsweredWith<Name extends EffectName> = z.infer<z.ZodObject<typeof facts>> & {
  readonly type: "answered";
  readonly effect: Name;
  readonly key: string;
  readonly answer: Answer<Name>;
};
export type Answered = { [Name in EffectName]: AnsweredWith<Name> }[EffectName];

const Answered = z.discriminatedUnion(
  "effect",
  Object.entries(effects).map(([effect, { answer }]) =>
    z.object({ type: z.literal("answered"), effect: z.literal(effect), key: z.string(), answer, ...facts }),
  ) as unknown as [z.ZodObject<{ type: z.ZodLiteral<"answered">; effect: z.ZodLiteral<EffectName> }>],
);

/** Base on which a task starts over: a worktree with this content, or the workspace as found. */
export const TaskBase = z.object({ apart: z.boolean(), content: z.string().optional() });
export type TaskBase = z.infer<typeof TaskBase>;

/** Parallel attempts at one task: number of the first, and the maximum count. */
const Race = z.object({ first: z.int().min(1), of: z.int().min(2) });
export type Race = z.infer<typeof Race>;

/** Reason why an accepted batch member is redone. */
export const Collision = z.object({
  /** Paths, from the workspace, of files that other members changed differently; a long list is cut. */
  files: z.array(z.string()),
  /** Error of the command that failed after the merge; null if none did. */
  failed: z.string().nullable(),
});
export type Collision = z.infer<typeof Collision>;

const Other = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("delegated"),
    key: z.string(),
    task: z.string(),
    role: Role,
    attempt: z.int(),
    retries: z.int(),
    /** Index among all executors of the role, from 0; executors of rungs come last. */
    executor: z.int().optional(),
    /** The rung that led to the delegation; not given for a first attempt, or for a role that does no task. */
    rung: Rung.optional(),
    /** Stuck level of the attempt; not given if not stuck. */
    level: Level.optional(),
    /** State before the attempt; a repeated attempt keeps it. Not given for a role that does no task. */
    baseline: Baseline.optional(),
    /** Result of the task's Verify before the work; given with the first delegation of the task. */
    before: Before.optional(),
    /** The command run that gave this result; not given if an earlier run was reused. */
    verify: VerifyRecord.optional(),
    /** Name of the workspace content before the attempt; null if unknown. */
    tree: z.string().nullable().optional(),
    /** The base on which the task starts over; not given if the task continues. */
    base: TaskBase.optional(),
    /** The race that the attempt belongs to; not given for a single attempt. */
    race: Race.optional(),
    /** Working time of the run so far, in milliseconds, by a monotonic clock. */
    elapsedMs: z.number(),
  }),
  /**
   * The delegation is handed out, and its report comes to this start or a later one. `nonceHash`: SHA-256 (hex)
   * of the nonce that the report must carry; `since`: milliseconds since 1970.
   */
  z.object({ type: z.literal("handedOut"), key: z.string(), nonceHash: z.string(), since: z.number() }),
  /** Answer of an effect `verify`, recorded before the run clears the ticks that the answer is based on. */
  z.object({
    type: z.literal("judged"),
    key: z.string(),
    answer: effects.verify.answer,
    ...verdict,
  }),
  /**
   * Boxes that executors changed before a start ended without judging the claim. The start reset these boxes after this
   * record.
   */
  z.object({ type: z.literal("boxes"), key: z.string(), set: z.array(z.string()), cleared: z.array(z.string()) }),
  z.object({
    type: z.literal("intended"),
    key: z.string(),
    fix: FixTask,
  }),
  /** An unneeded fix task is ticked in the plan, since the task that it repairs is done. */
  z.object({ type: z.literal("closed"), fix: z.string(), by: z.string() }),
  /** A plan change requested by an executor, before it is written. */
  z.object({
    type: z.literal("planned"),
    key: z.string(),
    change: ChangeType,
    plan: PlanChangeRecord,
  }),
  /** An intended action on a pull request: a later start repeats the action only if it was not done. */
  z.object({
    type: z.literal("shipping"),
    key: z.string(),
    act: z.enum(["push", "open", "rerun", "answer"]),
    /** The commit, branch, check or thread. */
    target: z.string(),
  }),
  /** A task for a pull request, before it is written into the plan. */
  z.object({
    type: z.literal("addition"),
    key: z.string(),
    cause: Cause,
    /** Checks that are red for the same reason, including the check of the cause. */
    checks: z.array(z.string()),
    plan: PlanChangeRecord,
  }),
  /** Milestones reached by the pull request; they are ticked after this record. */
  z.object({ type: z.literal("reached"), tasks: z.array(z.string()) }),
  /** The known text of the plan changes: each record holds the difference, the first record holds the whole plan. */
  z.object({
    type: z.literal("planSeen"),
    from: z.int(),
    cut: z.int(),
    text: z.string(),
    /** Set if the run did not write this text: it was found at a start, or accepted from an executor. */
    found: z.literal(true).optional(),
  }),
  /** A fix task that was recorded, never written, and is no longer needed. */
  z.object({ type: z.literal("dropped"), fix: z.string() }),
  /** A plan change of an attempt that was recorded, never written, and is no longer wanted. */
  z.object({ type: z.literal("withdrawn"), key: z.string() }),
  /** An attempt that was stopped before its claim was judged, and is not resumed: nothing was spent. */
  z.object({ type: z.literal("refunded"), key: z.string() }),
  /** A task accepted and ticked by an attempt whose turn is not resumed: its log lines are still to be written. */
  z.object({ type: z.literal("passed"), key: z.string(), commit: z.string().nullable() }),
  /**
   * The worktrees of accepted batch members were merged; `runs`: their commands, run after the merge. Members with
   * conflicts are redone on top of the others.
   */
  z.object({
    type: z.literal("merged"),
    tasks: z.array(z.string()),
    collided: z.record(z.string(), Collision),
    runs: z.array(VerifyRecord),
  }),
  /**
   * Tasks fixed by a person: their Verify and those of their fixes passed at a start, before any delegation. `key`
   * names the last attempt. The boxes are ticked after this record; the log lines are still to be written.
   */
  z.object({ type: z.literal("mended"), passes: z.array(z.object({ key: z.string(), verify: VerifyRecord })) }),
  /** The boxes and log lines of these tasks are flushed to disk. */
  z.object({ type: z.literal("flushed"), tasks: z.array(z.string()) }),
  /** The iterations of a task restart: a person changed the plan after they were spent. */
  z.object({ type: z.literal("reset"), task: z.string(), by }),
  /** A person sent a message during the run. */
  z.object({ type: z.literal("said"), event: PersonEvent, by }),
  /** A person's guidance for a planned task, given at a start. */
  z.object({ type: z.literal("guided"), task: z.string(), text: z.string(), by }),
  /** Guidance given while no task was running: it goes to the next task. */
  z.object({ type: z.literal("advised"), text: z.string(), by }),
  /** A person skipped a planned task, or restored it, so that it starts over. */
  z.object({ type: z.literal("skipped"), task: z.string(), justification: z.string().nullable(), by }),
  /** Planned tasks that waited for a person are resumed. */
  z.object({ type: z.literal("takenUp"), tasks: z.array(z.string()), by }),
  /** A rejected message from the run's own process: only a person may speak for a person. */
  z.object({ type: z.literal("unheard"), ...UnheardWord.shape }),
  /** The last turn is abandoned, with nothing to settle: the plan or the options changed. */
  z.object({ type: z.literal("left") }),
  /** The last turn is resumed: the previous start's record of the final plan is no longer valid. */
  z.object({ type: z.literal("continued") }),
  /** The coordinator released the spec without recording an end. */
  z.object({ type: z.literal("released") }),
  z.object({
    type: z.literal("ended"),
    ending: RunEnded,
    /** Hash of the final plan. */
    planHash: z.string(),
    /** Hash of the final state file; not given if it was removed, and in older records. */
    stateHash: z.string().optional(),
    denial: Denial.nullable(),
    /** Whether the start stopped at a gate inside a turn, which the next start resumes. */
    midTurn: z.literal(true).optional(),
    /** The sender that stopped the start. */
    by,
  }),
]);

/** Something that happened. A run consists of its records, in order. */
export type RunRecord = Answered | z.infer<typeof Other>;
export const RunRecord = z.discriminatedUnion("type", [Other, Answered]) as unknown as z.ZodType<RunRecord>;
/** End of a start. */
export type Ended = Extract<RunRecord, { type: "ended" }>;
/** A record with its time, in milliseconds since 1970. */
export type TimedRunRecord = RunRecord & { readonly at: number };

/** Whether a record is a choice of tasks, which begins a turn. */
export const beginsTurn = (record: RunRecord): record is AnsweredWith<"chooseTask"> =>
  record.type === "answered" && record.effect === "chooseTask";

/** Whether an answer says that the intended change is in the plan. */
export const isWritten = ({ answer: { kind } }: Answered): boolean =>
  kind === "inserted" || kind === "replanned" || kind === "extended";

/** Usage of an attempt, if its answer reports it; else undefined. */
export const usedFor = ({ effect, reply, usage }: Answered): Usage | undefined =>
  reply?.usage ?? (effect === "delegate" ? usage : undefined);

/** Id of the inbox message that a record came from; undefined if there is none. */
export const wordOf = (record: RunRecord): string | undefined =>
  "by" in record && typeof record.by === "object" ? record.by.word : undefined;
