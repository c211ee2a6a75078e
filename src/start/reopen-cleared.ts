import type { PlanDocument } from "../markdown/document/plan-document.ts";
import { tickedIn } from "../markdown/tick-task.ts";
import type { Plan } from "../model/plan.ts";
import { singleTasks } from "./single-tasks.ts";

/**
 * The plan as it was left, with the boxes open that are found cleared. Whether a person or an executor has cleared them
 * cannot be told: to do something again costs an attempt, to hold it for done may be wrong.
 */
export function reopenCleared(base: PlanDocument, { tasks }: Pick<Plan, "tasks">): PlanDocument {
  if (base.plan.tasks === tasks) return base;
  const [was, is] = [singleTasks(base.plan.tasks), singleTasks(tasks)];
  const cleared = base.plan.tasks.filter(({ id }) => was.get(id)?.done === true && is.get(id)?.done === false);
  return cleared.reduce((plan, { id }) => tickedIn(plan, id, false), base);
}
