import * as z from "zod";
import { Member } from "../src/model/run-effects.ts";
import type { TaskId } from "../src/model/task.ts";
import type { Machine } from "./machine-type.ts";
import type { TaskOutcome } from "./task-machine.ts";

export interface BatchInput {
  /** In plan order. */
  readonly members: readonly Member[];
  readonly width: number;
}

export const batchInput: z.ZodType<BatchInput> = z.strictObject({ members: z.array(Member), width: z.int().min(1) });

/** `ended` is in the order in which the members ended. */
export interface BatchContext extends BatchInput {
  readonly running: readonly TaskId[];
  readonly ended: readonly TaskOutcome[];
}

/** `kind` is the outcome of the first member, in plan order, that stops the run; `passed` if no member stops it. */
export interface BatchOutcome {
  readonly kind: TaskOutcome["kind"];
  /** The member that stopped the batch; null if the run continues. */
  readonly stop: TaskOutcome | null;
  /** In plan order. */
  readonly outcomes: readonly TaskOutcome[];
}

export type MemberDone = {
  readonly type: `xstate.done.actor.${string}`;
  readonly output: TaskOutcome;
  readonly actorId: string;
};

export type BatchMachine = Machine<{
  context: BatchContext;
  event: MemberDone;
  state: "working" | "merging" | "settled";
  input: BatchInput;
  output: BatchOutcome;
}>;
