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

/** What an attempt's reply is recorded as. */
export const ReplyRecord = Reply.extend({
  /** The text itself when it is short, else null: it lies in the run's output folder. */
  text: kept.nullable(),
  headBefore: z.string().nullable(),
  mark: GitMark.nullable().optional(),
  fileState: z.string().nullable().optional(),
  /** Name of the content of the workspace that it left; not given where that cannot be told. */
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

/** Who has said it: not given for the program itself, and in older records. */
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

/** What is recorded with an answer, and with a verdict that is drawn before its answer. */
const verdict = {
  verify: VerifyRecord.optional(),
  reality: VerifyRecord.optional(),
  judgement: Judgement.optional(),
};

const facts = {
  ...verdict,
  reply: ReplyRecord.optional(),
  review: ReviewRecord.optional(),
  /** What was used beside that. */
  usage: Usage.optional(),
  by,
};

/** What an effect has answered to the request of a key, in the form of that effect. */
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

/** Where a task begins anew: apart from the workspace with a content of that name, or in the workspace as it is found. */
export const TaskBase = z.object({ apart: z.boolean(), content: z.string().optional() });
export type TaskBase = z.infer<typeof TaskBase>;

/** Attempts at one task side by side: the number of the first, and how many they are at most. */
const Race = z.object({ first: z.int().min(1), of: z.int().min(2) });
export type Race = z.infer<typeof Race>;

/** Why an accepted member of a batch is done once more. */
export const Collision = z.object({
  /** Files that others have changed in another way, from the workspace; of many the first. */
  files: z.array(z.string()),
  /** What failed once all was put together; null where nothing did. */
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
    /** Which executor among all of the role, counted from 0: those of rungs behind the others. */
    executor: z.int().optional(),
    /** The rung of the ladder that led to it; none for a first attempt and a role that does no task. */
    rung: Rung.optional(),
    /** The level of being stuck it is made at; none when not given. */
    level: Level.optional(),
    /** How things stood when the attempt began: the same when it is begun again. None for a role that does no task. */
    baseline: Baseline.optional(),
    /** What its Verify said before the work on it; given with its first delegation. */
    before: Before.optional(),
    /** The run of it for that, where none was known. */
    verify: VerifyRecord.optional(),
    /** Name of the content of the workspace as the attempt found it; null where that cannot be told. */
    tree: z.string().nullable().optional(),
    /** Its task begins anew from here on; not so when not given. */
    base: TaskBase.optional(),
    /** It is one of so many side by side, the first of which has that number; one alone when not given. */
    race: Race.optional(),
    /** Working time of the run so far, in milliseconds, whatever the wall clock says. */
    elapsedMs: z.number(),
  }),
  /**
   * What was delegated is handed out to somebody who reports to this start or to a later one. The nonce that the
   * report has to come with stands here as its SHA-256, in hex; `since` is the time, in milliseconds since 1970.
   */
  z.object({ type: z.literal("handedOut"), key: z.string(), nonce: z.string(), since: z.number() }),
  /** What an effect `verify` answers, before ticks are taken back that it was made from. */
  z.object({
    type: z.literal("judged"),
    key: z.string(),
    answer: effects.verify.answer,
    ...verdict,
  }),
  /** What executors had ticked and cleared when a start ended before a claim was judged, and what it then took back. */
  z.object({ type: z.literal("boxes"), key: z.string(), set: z.array(z.string()), cleared: z.array(z.string()) }),
  z.object({
    type: z.literal("intended"),
    key: z.string(),
    fix: FixTask,
  }),
  /** A fix task that another has taken the place of is ticked in the plan, now that what it was made for is done. */
  z.object({ type: z.literal("closed"), fix: z.string(), by: z.string() }),
  /** A change of the plan that an executor has asked for, before it is written. */
  z.object({
    type: z.literal("planned"),
    key: z.string(),
    change: ChangeType,
    plan: PlanChangeRecord,
  }),
  /** Something that is about to be done to a pull request, so that it is looked for before it is done again. */
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
    /** Checks that are red for the same reason, the one of the cause among them. */
    checks: z.array(z.string()),
    plan: PlanChangeRecord,
  }),
  /** Milestones of the plan that have come true for its pull request; they are ticked after this. */
  z.object({ type: z.literal("reached"), tasks: z.array(z.string()) }),
  /**
   * The plan as the run knows it has another text from here on: what is recorded differs from the text before, and the
   * first is the whole plan.
   */
  z.object({
    type: z.literal("planSeen"),
    from: z.int(),
    cut: z.int(),
    text: z.string(),
    /** The run has not written this itself: it was found so at a start, or taken over from an executor. */
    found: z.literal(true).optional(),
  }),
  /** A fix task that was recorded but never written, and is not wanted any more. */
  z.object({ type: z.literal("dropped"), fix: z.string() }),
  /** A change of the plan that was recorded but never written, by its attempt; it is not wanted any more. */
  z.object({ type: z.literal("withdrawn"), key: z.string() }),
  /** An attempt that was stopped before its claim was judged, and is not taken up again: it spent nothing. */
  z.object({ type: z.literal("refunded"), key: z.string() }),
  /** A task that was accepted and ticked by an attempt whose turn is not taken up again: its lines are still owed. */
  z.object({ type: z.literal("passed"), key: z.string(), commit: z.string().nullable() }),
  /**
   * What a person has mended: the Verify commands of a task and of its fixes passed at a start, before anything was
   * delegated. Each has the attempt it comes behind. Their boxes are ticked after this; their lines are still owed.
   */
  /**
   * What accepted members of a batch did apart from the workspace was merged into it; `runs`: of their commands, then.
   * Those that collide are done once more on top of the others.
   */
  z.object({
    type: z.literal("merged"),
    tasks: z.array(z.string()),
    collided: z.record(z.string(), Collision),
    runs: z.array(VerifyRecord),
  }),
  z.object({ type: z.literal("mended"), passes: z.array(z.object({ key: z.string(), verify: VerifyRecord })) }),
  /** The boxes and log lines of these tasks are flushed to the disk. */
  z.object({ type: z.literal("flushed"), tasks: z.array(z.string()) }),
  /** The iterations of a task begin anew: a person has changed the plan after they were spent. */
  z.object({ type: z.literal("reset"), task: z.string(), by }),
  /** A person has said something while the run was under way. */
  z.object({ type: z.literal("said"), event: PersonEvent, by }),
  /** What a person has advised for a planned task, before a start. */
  z.object({ type: z.literal("guided"), task: z.string(), text: z.string(), by }),
  /** What a person has advised while no task was at work: whoever is given a task next is told. */
  z.object({ type: z.literal("advised"), text: z.string(), by }),
  /** A person has decided that a planned task is left out, or is not left out any more and begins anew. */
  z.object({ type: z.literal("skipped"), task: z.string(), justification: z.string().nullable(), by }),
  /** Planned tasks that waited for a person are gone on with. */
  z.object({ type: z.literal("takenUp"), tasks: z.array(z.string()), by }),
  /** A call of the run itself has said something to it, which was refused: the words of a person come from a person. */
  z.object({ type: z.literal("unheard"), ...UnheardWord.shape }),
  /** The last turn is not gone on with, though nothing of it had to be settled: the plan or the options have changed. */
  z.object({ type: z.literal("left") }),
  /** The last turn is gone on with: what the start before told of the plan as it left it does not hold any more. */
  z.object({ type: z.literal("continued") }),
  /** The coordinator let go of the spec without an end. */
  z.object({ type: z.literal("released") }),
  z.object({
    type: z.literal("ended"),
    ending: RunEnded,
    /** Of the plan as it was left. */
    planHash: z.string(),
    /** Of the state file as it was left; not given when it was taken away, and in older records. */
    stateHash: z.string().optional(),
    denial: Denial.nullable(),
    /** Whether it stopped at a gate in the middle of its turn, which the next start resumes. */
    midTurn: z.literal(true).optional(),
    /** Who has stopped it. */
    by,
  }),
]);

/** Something that happened. A run is its records, in the order in which they were made. */
export type RunRecord = Answered | z.infer<typeof Other>;
export const RunRecord = z.discriminatedUnion("type", [Other, Answered]) as unknown as z.ZodType<RunRecord>;
/** How a start has ended. */
export type Ended = Extract<RunRecord, { type: "ended" }>;
/** A record with the time at which it was made, in milliseconds since 1970. */
export type TimedRunRecord = RunRecord & { readonly at: number };

/** Whether a record is the choice of what is done next, with which a turn begins. */
export const beginsTurn = (record: RunRecord): record is AnsweredWith<"chooseTask"> =>
  record.type === "answered" && record.effect === "chooseTask";

/** Whether an answer says that what was intended stands in the plan. */
export const isWritten = ({ answer: { kind } }: Answered): boolean =>
  kind === "inserted" || kind === "replanned" || kind === "extended";

/** What an attempt has used, as far as an answer to it tells; undefined where it does not. */
export const usedFor = ({ effect, reply, usage }: Answered): Usage | undefined =>
  reply?.usage ?? (effect === "delegate" ? usage : undefined);

/** Id of the file through which a record was said; undefined for all others. */
export const wordOf = (record: RunRecord): string | undefined =>
  "by" in record && typeof record.by === "object" ? record.by.word : undefined;
