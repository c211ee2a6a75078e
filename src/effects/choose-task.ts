import type { Answer } from "../model/effect.ts";
import { nextTask } from "../model/plan.ts";
import type { WholePorts } from "./with-memory.ts";

/** Look up the first open task of the plan, where in its tree to go on, and what that tree has spent. */
export async function chooseTask({ plan, attempts }: WholePorts): Promise<Answer<"chooseTask">> {
  const known = (await plan.known()).plan;
  attempts.beginTurn(known.tasks.filter(({ done }) => !done).length);
  const next = nextTask(known);
  return next === null ? { kind: "none" } : { kind: "task", ...next, spent: attempts.spent(next.root) };
}
