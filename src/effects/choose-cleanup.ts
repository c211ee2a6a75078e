import type { Answer, EffectInput } from "../model/effect.ts";
import { isCleanup, type Task } from "../model/task.ts";
import type { WholePorts } from "./with-memory.ts";

/** Choose the next open task that runs even though the run must stop. */
export async function chooseCleanup(
  { plan, attempts }: WholePorts,
  { done }: EffectInput<"chooseCleanup">,
): Promise<Answer<"chooseCleanup">> {
  const { tasks } = (await plan.known()).plan;
  const isOpen = (task: Task): boolean => !task.done && !attempts.skipped().has(task.id) && !done.includes(task.id);
  const next = tasks.find((task) => task.fixOf === null && isCleanup(task) && isOpen(task));
  if (next === undefined) return { kind: "none" };
  return { kind: "task", root: next.id, current: next.id };
}
