import type { Answered } from "../model/record.ts";
import { taskOf } from "../model/reply.ts";
import type { RunState } from "../model/run-state.ts";
import type { TaskId } from "../model/task.ts";
import { chosenRoot } from "./spent.ts";
import { refund } from "./trees.ts";

/** Effects behind whose questions an attempt is left that nobody has judged. */
const unjudged: ReadonlySet<Answered["effect"]> = new Set(["changePlan", "verify", "review"]);

/** A task waits with its question: an attempt that is not judged for it counts as none. */
export function park(state: RunState, { effect, key, answer }: Answered): void {
  if (!isParked(answer)) return;
  const { reason, hint } = answer;
  const task = taskOf(key);
  state.parked[chosenRoot(state, task)] = { key, reason, hint };
  if (unjudged.has(effect)) refund(state, task);
}

/** Whether an answer is a question that its task waits with. */
export const isParked = (answer: Answered["answer"]): answer is Extract<Answered["answer"], { kind: "gate" }> =>
  answer.kind === "gate" && answer.parked === true;

/** A start goes on with tasks that wait: they do until the next choice. */
export function takeUp({ parked }: RunState, tasks: readonly TaskId[]): void {
  for (const task of tasks) {
    const waiting = parked[task];
    if (waiting !== undefined) parked[task] = { ...waiting, again: true };
  }
}

/** What was taken up waits no longer. */
export function leaveParked({ parked }: RunState): void {
  for (const [task, { again }] of Object.entries(parked)) if (again === true) delete parked[task];
}
