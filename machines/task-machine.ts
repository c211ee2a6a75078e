import * as z from "zod";
import type { Answer } from "../src/model/effect.ts";
import type { Denial } from "../src/model/limits.ts";
import type { Question } from "../src/model/person-event.ts";
import type { TaskId } from "../src/model/task.ts";
import type { Machine, Tag } from "./machine-type.ts";
import { checkInput } from "./machine-type.ts";

export interface TaskInput {
  readonly root: TaskId;
  /** The open fix task at which to resume (`root` by default). */
  readonly current?: TaskId | undefined;
}

/** Position of the work on a planned task. All other facts about the task are in the run's state. */
export interface TaskContext {
  readonly root: TaskId;
  /** The task in progress: `root`, or a fix task or part in its tree. */
  readonly current: TaskId;
  /** The answer that ended the work; null before the end, or if the work ended without an answer. */
  readonly end: Denial | Answer<"decide"> | Question | null;
}

/** How the work on a planned task ended. `current`: the task at which it ended. */
export interface TaskOutcome extends TaskContext {
  readonly kind: "passed" | "replanned" | "pruned" | "parked" | "exhausted" | "checkpoint" | "gated" | "cancelled";
}

export type TaskMachine = Machine<{
  context: TaskContext;
  event: { readonly type: "cancel" };
  state:
    | ("delegating" | "changingPlan" | "verifying" | "reviewing" | "parsing" | "waiting" | "recordingPass")
    | ("checkingLimit" | "insertingFix" | "repairing" | "repairingAgain" | "betweenParts" | "assembling" | "pivoting")
    | ("researching" | "reporting" | "atCheckpoint" | "askingPerson" | "skipping")
    | TaskOutcome["kind"];
  input: TaskInput;
  output: TaskOutcome;
}>;

export interface TaskTypes {
  readonly input: TaskInput;
  readonly context: TaskContext;
  readonly output: TaskOutcome;
  readonly events: { readonly type: "cancel" };
  readonly tags: Tag;
}

const taskInput: z.ZodType<TaskInput> = z.strictObject({ root: z.string(), current: z.string().optional() });

/** @throws {InputError} `input-malformed` */
export function readTaskInput(given: TaskInput): Omit<TaskContext, "end"> {
  const { root, current = root } = checkInput("task", taskInput, given);
  return { root, current };
}
