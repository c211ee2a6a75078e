import type { PlanDocument } from "../markdown/document/plan-document.ts";
import type { Plan } from "../model/plan.ts";
import type { TaskId } from "../model/task-id.ts";
import { singleTasks } from "./single-tasks.ts";

/** Tasks that are ticked in the plan as it was left, and open in the plan as it is found. */
export function clearedIn({ plan: { tasks: before } }: PlanDocument, { tasks }: Pick<Plan, "tasks">): TaskId[] {
  if (before === tasks) return [];
  const [was, is] = [singleTasks(before), singleTasks(tasks)];
  return before.flatMap(({ id }) => (was.get(id)?.done === true && is.get(id)?.done === false ? [id] : []));
}
