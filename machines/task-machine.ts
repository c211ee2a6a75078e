import * as z from "zod";
import type { Answer } from "../src/model/effect.ts";
import type { Denial } from "../src/model/limits.ts";
import type { Question } from "../src/model/person-event.ts";
import type { TaskId } from "../src/model/task.ts";
import type { Machine, Tag } from "./machine-type.ts";
import { checkInput } from "./machine-type.ts";

/** Input of a task machine. */
export interface TaskInput {
  /** The planned task to finish. */
  readonly root: TaskId;
  /** The open fix task in the root's tree from which to resume; the root itself if not given. */
  readonly current?: TaskId | undefined;
}

/** Position of the work on a planned task. All other facts about the task are in the state of the run. */
export interface TaskContext {
  readonly root: TaskId;
  /** The current task of the root's tree. */
  readonly current: TaskId;
  /** The answer that ended the work; null before the end, or if no answer ended it. */
  readonly end: Denial | Answer<"decide"> | Question | null;
}

/** How a planned task ended, at which task of its tree, and by which answer. */
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

/** Types from which XState infers the chart. */
export interface TaskTypes {
  readonly input: TaskInput;
  readonly context: TaskContext;
  readonly output: TaskOutcome;
  readonly events: { readonly type: "cancel" };
  readonly tags: Tag;
}

const taskInput: z.ZodType<TaskInput> = z.strictObject({ root: z.string(), current: z.string().optional() });

/**
 * Initial context of a task machine.
 *
 * @throws {InputError} `input-malformed`
 */
export function readTaskInput(given: TaskInput): Omit<TaskContext, "end"> {
  const { root, current = root } = checkInput("task", taskInput, given);
  return { root, current };
}
