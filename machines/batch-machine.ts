import * as z from "zod";
import { Member } from "../src/model/run-effects.ts";
import type { TaskId } from "../src/model/task.ts";
import type { Machine } from "./machine-type.ts";
import type { TaskOutcome } from "./task-machine.ts";

/** What a batch is started with. */
export interface BatchInput {
  /** In the order of the plan. */
  readonly members: readonly Member[];
  /** How many may be worked on at a time. */
  readonly width: number;
}

export const batchInput: z.ZodType<BatchInput> = z.strictObject({ members: z.array(Member), width: z.int().min(1) });

/** Which members are worked on, and how the others have ended, in the order in which they did. */
export interface BatchContext extends BatchInput {
  readonly running: readonly TaskId[];
  readonly ended: readonly TaskOutcome[];
}

/** How a batch ended: as the first member, in the order of the plan, that stops the run. */
export interface BatchOutcome {
  readonly kind: TaskOutcome["kind"];
  /** That member; null where all have passed, are left out, or come after others now. */
  readonly stop: TaskOutcome | null;
  /** How each member ended, in the order of the plan. */
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
