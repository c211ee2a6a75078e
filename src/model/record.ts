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

export const ReplyRecord = Reply.extend({
  /** Null for a long text, which is stored in the run's output folder. */
  text: kept.nullable(),
  headBefore: z.string().nullable(),
  mark: GitMark.nullable().optional(),
  fileState: z.string().nullable().optional(),
  /** Hash of the workspace files after the attempt; not given if unknown. */
  tree: z.string().optional(),
});
export type ReplyRecord = z.infer<typeof ReplyRecord>;

const ReviewRecord = z.object({
  verdict: z.enum(["pass", "fail", "none"]),
  code: kept,
  spec: kept,
  round: z.int(),
  usage: Usage.optional(),
});

/** Sender; not given for fixpoint itself, and in older records. */
const by = Speaker.optional();

const text = z.string().optional();

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

/** Facts that belong to an answer, or to a verdict recorded before its answer. */
const verdict = {
  verify: VerifyRecord.optional(),
  reality: VerifyRecord.optional(),
  judgement: Judgement.optional(),
};

const facts = {
  ...verdict,
  reply: ReplyRecord.optional(),
  review: ReviewRecord.optional(),
  /** Usage of a delegation without a recorded reply. */
  usage: Usage.optional(),
  by,
};

/** Each answer has the form that its effect defines. */
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

/** State from which a task starts over: a worktree with the files of `content`, or the workspace as it is. */
export const TaskBase = z.object({ apart: z.boolean(), content: z.string().optional() });
export type TaskBase = z.infer<typeof TaskBase>;

/** Parallel attempts at one task. `first`: number of the first attempt; `of`: maximum number of attempts. */
const Race = z.object({ first: z.int().min(1), of: z.int().min(2) });
export type Race = z.infer<typeof Race>;

/** Why an accepted task of a batch is done again. */
export const Collision = z.object({
  /** Files that other tasks changed differently, as paths relative to the workspace; a long list is cut. */
  files: z.array(z.string()),
  /** Error of the command that failed after the merge; null if no command failed. */
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
    /** Index among all executors of the role, from 0; executors for rungs come last. */
    executor: z.int().optional(),
    /** Rung that led to the delegation; not given for a first attempt, and for a role that does no tasks. */
    rung: Rung.optional(),
    /** Not given if the tree is not stuck. */
    level: Level.optional(),
    /** State before the attempt; a repeated attempt has the same state. Not given for a role that does no tasks. */
    baseline: Baseline.optional(),
    /** Result of Verify before the work; only with the first delegation of the task. */
    before: Before.optional(),
    /** Run of the command that gave `before`; not given if `before` comes from an earlier run of the command. */
    verify: VerifyRecord.optional(),
    /** Hash of the workspace files before the attempt; null if unknown. */
    tree: z.string().nullable().optional(),
    /** Not given if the task continues with the current files of the workspace. */
    base: TaskBase.optional(),
    /** Not given for a single attempt. */
    race: Race.optional(),
    /** Working time of the run so far in milliseconds, measured with a monotonic clock. */
    elapsedMs: z.number(),
  }),
  /**
   * A delegation was handed out; this start or a later start gets the report. `nonceHash`: SHA-256 (hex) of the nonce
   * that the report must carry; `since`: milliseconds since 1970.
   */
  z.object({ type: z.literal("handedOut"), key: z.string(), nonceHash: z.string(), since: z.number() }),
  /** Answer of an effect `verify`, recorded before the run clears the ticks that the answer rejects. */
  z.object({
    type: z.literal("judged"),
    key: z.string(),
    answer: effects.verify.answer,
    ...verdict,
  }),
  /**
   * Boxes that executors changed before a start ended without judging the claim. A start resets these boxes after this
   * record.
   */
  z.object({ type: z.literal("boxes"), key: z.string(), set: z.array(z.string()), cleared: z.array(z.string()) }),
  z.object({
    type: z.literal("intended"),
    key: z.string(),
    fix: FixTask,
  }),
  /** A fix task is ticked without being done, since the task that it repairs is done. */
  z.object({ type: z.literal("closed"), fix: z.string(), by: z.string() }),
  /** A plan change that an executor requested, recorded before the change is written. */
  z.object({
    type: z.literal("planned"),
    key: z.string(),
    change: ChangeType,
    plan: PlanChangeRecord,
  }),
  /**
   * An action on a pull request, recorded before the action is done. If the action was not done, a later start repeats
   * it.
   */
  z.object({
    type: z.literal("shipping"),
    key: z.string(),
    act: z.enum(["push", "open", "rerun", "answer"]),
    /** The commit, branch, check or thread. */
    target: z.string(),
  }),
  /** A task for a pull request, recorded before it is written into the plan. */
  z.object({
    type: z.literal("addition"),
    key: z.string(),
    cause: Cause,
    /** Ids of checks that are red for the same reason, with the check in `cause`. */
    checks: z.array(z.string()),
    plan: PlanChangeRecord,
  }),
  /** Tasks whose milestones the pull request has reached. The boxes of these tasks are ticked after this record. */
  z.object({ type: z.literal("reached"), tasks: z.array(z.string()) }),
  /** The text of the plan changed. The first record holds the whole text, and each later record holds a difference. */
  z.object({
    type: z.literal("planSeen"),
    from: z.int(),
    cut: z.int(),
    text: z.string(),
    /**
     * Set if the run did not write this text. Either a start found the text, or the run accepted it from an executor.
     */
    found: z.literal(true).optional(),
  }),
  /** A fix task that was recorded, but is no longer needed and is never written. */
  z.object({ type: z.literal("dropped"), fix: z.string() }),
  /** A plan change that was recorded, but is no longer wanted and is never written. */
  z.object({ type: z.literal("withdrawn"), key: z.string() }),
  /** An attempt ended before its claim was judged and is not resumed: it does not count. */
  z.object({ type: z.literal("refunded"), key: z.string() }),
  /** A task was accepted and ticked in a turn that is not resumed. The log lines of the task are still missing. */
  z.object({ type: z.literal("passed"), key: z.string(), commit: z.string().nullable() }),
  /**
   * The worktrees of accepted batch tasks were merged. `runs` are the Verify commands of these tasks, run again after
   * the merge. Tasks in `collided` are done again on the merged work.
   */
  z.object({
    type: z.literal("merged"),
    tasks: z.array(z.string()),
    collided: z.record(z.string(), Collision),
    runs: z.array(VerifyRecord),
  }),
  /**
   * A person fixed these tasks: the Verify commands of the tasks and of their fix tasks passed at the beginning of a
   * start. `key` names the last attempt. Boxes and log lines are written after this record.
   */
  z.object({ type: z.literal("mended"), passes: z.array(z.object({ key: z.string(), verify: VerifyRecord })) }),
  /** Boxes and log lines of these tasks are on disk. */
  z.object({ type: z.literal("flushed"), tasks: z.array(z.string()) }),
  /** The number of iterations of a task starts again at 0, since a person changed the plan after the last iteration. */
  z.object({ type: z.literal("reset"), task: z.string(), by }),
  z.object({ type: z.literal("said"), event: PersonEvent, by }),
  /** Guidance for a planned task, given with the command that began this start. */
  z.object({ type: z.literal("guided"), task: z.string(), text: z.string(), by }),
  /** Guidance that came while no task was running; the next task gets it. */
  z.object({ type: z.literal("advised"), text: z.string(), by }),
  /** A person skipped a planned task or, if `justification` is null, restored it. A restored task starts over. */
  z.object({ type: z.literal("skipped"), task: z.string(), justification: z.string().nullable(), by }),
  /** Planned tasks continue after they waited for the answer of a person. */
  z.object({ type: z.literal("takenUp"), tasks: z.array(z.string()), by }),
  /** A message from the run's own process was rejected, since only a person may answer for a person. */
  z.object({ type: z.literal("unheard"), ...UnheardWord.shape }),
  /** The last turn is abandoned, since the plan or the options changed. */
  z.object({ type: z.literal("left") }),
  /** The last turn continues, so the plan recorded at the end of the previous start is out of date. */
  z.object({ type: z.literal("continued") }),
  /** The coordinator released the spec without recording an outcome. */
  z.object({ type: z.literal("released") }),
  z.object({
    type: z.literal("ended"),
    ending: RunEnded,
    planHash: z.string(),
    /** Hash of the final state file; not given if that file was removed, and in older records. */
    stateHash: z.string().optional(),
    denial: Denial.nullable(),
    /** Set if a gate stopped the start inside a turn; the next start resumes that turn. */
    midTurn: z.literal(true).optional(),
    /** Sender that stopped the start. */
    by,
  }),
]);

/** An event of a run. A run consists of its records in order. */
export type RunRecord = Answered | z.infer<typeof Other>;
export const RunRecord = z.discriminatedUnion("type", [Other, Answered]) as unknown as z.ZodType<RunRecord>;
export type Ended = Extract<RunRecord, { type: "ended" }>;
/** A record with its time, in milliseconds since 1970. */
export type TimedRunRecord = RunRecord & { readonly at: number };

/** A choice of tasks begins a turn. */
export const beginsTurn = (record: RunRecord): record is AnsweredWith<"chooseTask"> =>
  record.type === "answered" && record.effect === "chooseTask";

/** Whether an answer reports that the recorded change is now in the plan. */
export const isWritten = ({ answer: { kind } }: Answered): boolean =>
  kind === "inserted" || kind === "replanned" || kind === "extended";

export const usedFor = ({ effect, reply, usage }: Answered): Usage | undefined =>
  reply?.usage ?? (effect === "delegate" ? usage : undefined);

/** Id of the inbox message that led to a record. */
export const wordOf = (record: RunRecord): string | undefined =>
  "by" in record && typeof record.by === "object" ? record.by.word : undefined;
