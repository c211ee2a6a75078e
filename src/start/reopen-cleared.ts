import type { PlanDocument } from "../markdown/document/plan-document.ts";
import { tickedIn } from "../markdown/tick-task.ts";
import type { Plan } from "../model/plan.ts";
import type { Task } from "../model/task.ts";
import type { TaskId } from "../model/task-id.ts";

/**
 * The plan as it was left, with the boxes open that are found cleared. Whether a person or an executor has cleared them
 * cannot be told: to do something again costs an attempt, to hold it for done may be wrong.
 */
export function reopenCleared(base: PlanDocument, { tasks }: Pick<Plan, "tasks">): PlanDocument {
  // Of two tasks with one id nobody can say which was cleared.
  const [was, is] = [singles(base.plan.tasks), singles(tasks)];
  const cleared = base.plan.tasks.filter(({ id }) => was.get(id)?.done === true && is.get(id)?.done === false);
  return cleared.reduce((plan, { id }) => tickedIn(plan, id, false), base);
}

/** Tasks by their ids, without those that share one. */
function singles(tasks: readonly Task[]): ReadonlyMap<TaskId, Task> {
  const found = new Map<TaskId, Task>();
  const shared = new Set<TaskId>();
  for (const task of tasks) {
    if (found.has(task.id)) shared.add(task.id);
    found.set(task.id, task);
  }
  for (const id of shared) found.delete(id);
  return found;
}
