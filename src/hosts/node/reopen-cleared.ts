import type { PlanDocument } from "../../markdown/document/plan-document.ts";
import type { Plan } from "../../model/plan.ts";
import { tickedIn } from "./intention.ts";

/**
 * The plan as it was left, with the boxes open that are found cleared. Whether a person or an executor has cleared them
 * cannot be told: to do something again costs an attempt, to hold it for done may be wrong.
 */
export function reopenCleared(base: PlanDocument, { tasks }: Pick<Plan, "tasks">): PlanDocument {
  const open = new Set(tasks.flatMap(({ id, done }) => (done ? [] : [id])));
  const done = base.plan.tasks.filter((task) => task.done && open.has(task.id)).map(({ id }) => id);
  // Of two tasks with one id nobody can say which was cleared.
  const cleared = done.filter((id) => [base.plan.tasks, tasks].every((all) => countOf(all, id) === 1));
  return cleared.reduce((plan, id) => tickedIn(plan, id, false), base);
}

const countOf = (tasks: Plan["tasks"], wanted: string): number => tasks.filter(({ id }) => id === wanted).length;
