import { lookAtPlan } from "../model/look-at-plan.ts";
import type { Question } from "../model/question.ts";
import type { Task } from "../model/task.ts";
import { plannedTask, type TaskId, wholeOf } from "../model/task-id.ts";
import type { Attempts } from "../ports/attempts.ts";
import { judgeCheckmarks } from "../recover/judge-checkmarks.ts";
import type { KnownPlan } from "./known-plan.ts";
import { takeTicksBack } from "./take-ticks-back.ts";
import type { WholePorts } from "./with-memory.ts";

/** One look at the plan. */
export type Reading = Awaited<ReturnType<KnownPlan["read"]>>;

/** Tasks that are worked on beside a task. Who does a part of a task works on that task, too. */
export function besides(attempts: Attempts, task: Pick<Task, "id">): TaskId[] {
  const others = [...attempts.inFlight()].filter((id) => id !== task.id);
  return wholeOf(task.id) === null ? others : [...others, plannedTask(task.id)];
}

/** The question that an unauthorized edit asks: a change of the plan that attempts may not make. Null without one. */
export async function askAboutChange(
  ports: WholePorts,
  task: Task,
  { known, found }: Reading,
): Promise<Question | null> {
  const plans = { before: known.plan, after: found.plan, beside: besides(ports.attempts, task) };
  const change = judgeCheckmarks({ task, ...plans, requireExecutorTick: false });
  if (change.kind !== "undecided") return null;
  await takeTicksBack(ports);
  return {
    kind: "gate",
    reason: `The plan was changed while task ${task.id} was worked on: ${change.reason}`,
    hint: lookAtPlan("; run again: it says how to accept the text as it stands", ports.plan.keptAt),
  };
}

/**
 * Settle the edits of the plan that were made by somebody whose claim is not judged: texts that may stay are adopted,
 * ticks are taken back. Answers the question that an unauthorized edit asks; null without one.
 */
export async function settleEdits(ports: WholePorts, task: Task): Promise<Question | null> {
  const reading = await ports.plan.read();
  const question = await askAboutChange(ports, task, reading);
  if (question !== null) return question;
  ports.plan.adopt(reading.found);
  await takeTicksBack(ports, new Set(besides(ports.attempts, task)));
  return null;
}
