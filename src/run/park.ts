import type { Answered } from "../model/record.ts";
import { taskOf } from "../model/reply.ts";
import type { RunState } from "../model/run-state.ts";
import type { TaskId } from "../model/task.ts";
import { chosenRoot } from "./spent.ts";
import { refund } from "./trees.ts";

/** Effects whose questions abandon an attempt before it is judged. */
const unjudged: ReadonlySet<Answered["effect"]> = new Set(["changePlan", "verify", "review"]);

/** Park a task with its question; an attempt that is not judged does not count. */
export function park(state: RunState, { effect, key, answer }: Answered): void {
  if (!isParked(answer)) return;
  const { reason, hint } = answer;
  const task = taskOf(key);
  state.parked[chosenRoot(state, task)] = { key, reason, hint };
  if (unjudged.has(effect)) refund(state, task);
}

/** Whether an answer is a question that parks its task. */
export const isParked = (answer: Answered["answer"]): answer is Extract<Answered["answer"], { kind: "gate" }> =>
  answer.kind === "gate" && answer.parked === true;

/** Resume parked tasks; they stay parked until the next choice. */
export function takeUp({ parked }: RunState, tasks: readonly TaskId[]): void {
  for (const task of tasks) {
    const waiting = parked[task];
    if (waiting !== undefined) parked[task] = { ...waiting, again: true };
  }
}

/** Clear the parked tasks that were resumed. */
export function leaveParked({ parked }: RunState): void {
  for (const [task, { again }] of Object.entries(parked)) if (again === true) delete parked[task];
}
