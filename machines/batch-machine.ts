import * as z from "zod";
import { Member } from "../src/model/run-effects.ts";
import type { TaskId } from "../src/model/task.ts";
import type { Machine } from "./machine-type.ts";
import type { TaskOutcome } from "./task-machine.ts";

/** Input of a batch. */
export interface BatchInput {
  /** In plan order. */
  readonly members: readonly Member[];
  /** Maximum number of members that run at the same time. */
  readonly width: number;
}

export const batchInput: z.ZodType<BatchInput> = z.strictObject({ members: z.array(Member), width: z.int().min(1) });

/** The running members, and the outcomes of the ended members, in the order in which they ended. */
export interface BatchContext extends BatchInput {
  readonly running: readonly TaskId[];
  readonly ended: readonly TaskOutcome[];
}

/** The outcome of a batch: that of the first member, in plan order, that stops the run; `passed` if no member does. */
export interface BatchOutcome {
  readonly kind: TaskOutcome["kind"];
  /** The member that stopped the batch; null if the run continues after all of them. */
  readonly stop: TaskOutcome | null;
  /** The outcome of each member, in plan order. */
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
