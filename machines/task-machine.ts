import * as z from "zod";
import type { Answer } from "../src/model/effect.ts";
import type { Denial } from "../src/model/limits.ts";
import type { Question } from "../src/model/person-event.ts";
import type { TaskId } from "../src/model/task.ts";
import { checkInput } from "./check-input.ts";
import type { Machine, Tag } from "./machine-type.ts";

/** What a task machine is started with. */
export interface TaskInput {
  /** The planned task to finish. */
  readonly root: TaskId;
  /** Where in its tree to go on: an open fix task below it; the root itself when not given. */
  readonly current?: TaskId | undefined;
}

/** Where the work on a planned task is. All that is known of it beside that is in the state of the run. */
export interface TaskContext {
  readonly root: TaskId;
  /** The task of its tree that is up. */
  readonly current: TaskId;
  /** The answer that has ended it; null before, and where none has. */
  readonly end: Denial | Answer<"decide"> | Question | null;
}

/** How a planned task ended, where in its tree, and by which answer. */
export interface TaskOutcome extends TaskContext {
  readonly kind: "passed" | "replanned" | "pruned" | "parked" | "exhausted" | "checkpoint" | "gated" | "cancelled";
}

export type TaskMachine = Machine<{
  context: TaskContext;
  event: { readonly type: "cancel" };
  state:
    | ("delegating" | "changingPlan" | "verifying" | "reviewing" | "parsing" | "waiting" | "recordingPass")
    | ("checkingLimit" | "insertingFix" | "repairing" | "repairingAgain" | "betweenParts" | "assembling" | "pivoting")
    | ("researching" | "racing" | "reporting" | "atCheckpoint" | "askingPerson" | "skipping")
    | TaskOutcome["kind"];
  input: TaskInput;
  output: TaskOutcome;
}>;

/** What XState infers the chart from. */
export interface TaskTypes {
  readonly input: TaskInput;
  readonly context: TaskContext;
  readonly output: TaskOutcome;
  readonly events: { readonly type: "cancel" };
  readonly tags: Tag;
}

const taskInput: z.ZodType<TaskInput> = z.strictObject({ root: z.string(), current: z.string().optional() });

/**
 * Where a task machine begins.
 *
 * @throws {InputError} `input-malformed`
 */
export function readTaskInput(given: TaskInput): Omit<TaskContext, "end"> {
  const { root, current = root } = checkInput("task", taskInput, given);
  return { root, current };
}
