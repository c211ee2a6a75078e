import type { Plan } from "../model/plan.ts";
import type { RunState } from "../model/run-state.ts";
import type { TaskId } from "../model/task-id.ts";
import { singleTasks } from "./single-tasks.ts";

/**
 * Open boxes that a power cut may have cleared: of tasks whose passes are recorded, without a record that they were
 * flushed.
 *
 * @param found The plan as it is now.
 */
export function lostBoxes({ unflushed }: Pick<RunState, "unflushed">, found: Pick<Plan, "tasks">): TaskId[] {
  const single = singleTasks(found.tasks);
  return Object.keys(unflushed).filter((id) => single.get(id)?.done === false);
}
