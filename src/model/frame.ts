import * as z from "zod";
import { RunEnding } from "./event.ts";

const count = z.int().min(0);
const task = z.string();

/** Where one machine of a run stands at a moment. */
export const Lane = z.object({
  /** `""` is the coordinator, `task` the machine of the task it works on, `batch/1.3` that of a member, and so on. */
  path: z.string(),
  /** Id of its chart. */
  machine: z.string(),
  /** The state that is lit. */
  state: z.string(),
  /** The state it came from, also while it stays where it is; null where it has just begun. */
  from: z.string().nullable(),
  /** The task it is at; null for the coordinator and a batch. */
  task: task.nullable(),
});
export type Lane = z.infer<typeof Lane>;

/** What has become of a task. `waiting`: for its executor to be able to work; `asking`: for a person. */
export const TaskMark = z.enum(["open", "running", "waiting", "asking", "failed", "passed", "skipped", "superseded"]);
export type TaskMark = z.infer<typeof TaskMark>;

/** One moment of a run: what the page shows of it. Plain JSON; texts are untrusted. */
export const Frame = z.object({
  version: z.literal(1),
  /** In milliseconds since 1970. */
  at: z.number(),
  /** Which start of the coordinator, from 1. */
  start: count,
  /** 0 before the first choice of a task. */
  turn: count,
  /** What has led to it: the type of its record, or the effect that was answered; `started` begins a start. */
  cause: z.string(),
  /** The task its record is about, and the attempt; null where it is about none. */
  task: task.nullable(),
  attempt: count.nullable(),
  /** Outermost first. None where another version has recorded moves that this one would not make. */
  lanes: z.array(Lane),
  /** Tasks that have become something else. */
  marks: z.array(z.object({ task, mark: TaskMark })),
  /** What the run has spent so far. */
  spent: z.object({ delegations: count, costUsd: z.number(), tokens: count, elapsedMs: z.number() }),
  /** Whether a person has paused it. */
  paused: z.boolean(),
  /** How its start has ended; `killed` where it could not tell; null while it is under way. */
  ending: z.enum([...RunEnding.options, "released", "killed"]).nullable(),
});
export type Frame = z.infer<typeof Frame>;

/** A row of the tree of tasks. */
export const TaskRow = z.object({
  id: task,
  title: z.string(),
  /** The task it was made for, as its fix or as a part of it; null for a planned task. */
  madeFor: task.nullable(),
  /** Generations of fixes and parts above it. */
  depth: count,
  /** Number of the frame that it is there from, counted from 0. */
  from: count,
  /** Whether it was done before the run, or by hand. */
  done: z.boolean(),
});
export type TaskRow = z.infer<typeof TaskRow>;

/** A text of which only the end may be there. */
export const Clip = z.object({
  text: z.string(),
  /** Characters in front of it that are left out, or more. */ left: count,
});
export type Clip = z.infer<typeof Clip>;

/** Something that is told about a task, in the words of `fixpoint why`. */
export const Told = z.object({
  /** Number of the frame that it is known from. */
  frame: count,
  at: z.number(),
  kind: z.string(),
  /** The task it is about, which may be a fix of the one that is told of; null for the whole run. */
  task: task.nullable(),
  attempt: count.nullable(),
  head: z.string(),
  details: z.array(z.string()),
  /** What each layer says of a claim. */
  layers: z.array(z.object({ layer: z.string(), kind: z.string(), text: z.string() })).optional(),
  /** How many checks fail, of how many, and which fail no more or only now. */
  failing: z
    .object({ count, of: count.nullable(), change: z.string(), lost: z.array(z.string()), gained: z.array(z.string()) })
    .optional(),
  /** The limits that a decision has looked at. */
  gauges: z.array(z.object({ limit: z.string(), task, spent: z.number(), max: z.number() })).optional(),
});
export type Told = z.infer<typeof Told>;

/** What an attempt has printed. */
export const Printed = z.object({
  task,
  attempt: count,
  message: Clip,
  verify: z.object({ command: z.string(), exitCode: z.int().nullable(), output: Clip }).nullable(),
});
export type Printed = z.infer<typeof Printed>;

/** All that is shown of a task when it is chosen. */
export const TaskStory = z.object({
  told: z.array(Told),
  printed: z.array(Printed),
  /** What is left out of it, in a sentence; null when all is there. */
  left: z.string().nullable(),
});
export type TaskStory = z.infer<typeof TaskStory>;

/** What a run stands at that is not over, or has stopped at. */
export const Standing = z.object({
  /** Whether a coordinator is at work. */
  running: z.boolean(),
  paused: z.boolean(),
  /** What a person is asked, and how it is answered; null when nothing is. */
  question: z.object({ task: task.nullable(), text: z.string(), hint: z.string().nullable() }).nullable(),
});
export type Standing = z.infer<typeof Standing>;

/** What is told of tasks, by their ids. */
export const TaskStories = z.record(z.string(), TaskStory);
export type TaskStories = z.infer<typeof TaskStories>;

/** Frames in columns, which take less room; `packFrames` and `unpackFrames` know the form. */
export const PackedFrames = z.object({
  count,
  /** Every text that occurs, once; columns name texts by their place. */
  texts: z.array(z.string()),
  columns: z.record(z.string(), z.array(z.number())),
});
export type PackedFrames = z.infer<typeof PackedFrames>;

/** A run as the page shows it. */
export const Recording = z.object({
  version: z.literal(1),
  spec: z.string(),
  run: count,
  /** Limits of the whole run that are set. */
  limits: z.array(z.object({ limit: z.string(), max: z.number() })),
  standing: Standing,
  /** In the order of the plan, each above what was made for it. */
  tasks: z.array(TaskRow),
  frames: PackedFrames,
  /** What of the evidence is left out, in sentences. */
  left: z.array(z.string()),
});
export type Recording = z.infer<typeof Recording>;

/** What a live page says for a person. */
export const PageWord = z.object({
  word: z.enum(["pause", "resume", "stop", "guidance", "retry", "skip"]),
  /** The advice; only with `guidance`. */
  text: z.string().max(4000).optional(),
  /** The task that the question is about; not given for the whole run. */
  task: z.string().optional(),
});
export type PageWord = z.infer<typeof PageWord>;

/** Frames that a live page has not had yet. */
export const MoreFrames = z.object({
  /** Number of the first, counted from 0. */
  from: count,
  frames: z.array(Frame),
  /** Rows that are not there yet, or are changed; they stand behind `after`, or at the end when that is null. */
  tasks: z.array(TaskRow.extend({ after: task.nullable() })),
});
export type MoreFrames = z.infer<typeof MoreFrames>;
