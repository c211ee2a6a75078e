import type { Plan } from "../model/plan.ts";
import type { RunState } from "../model/run-state.ts";
import type { TaskId } from "../model/task-id.ts";

/**
 * Boxes that a power cut may have taken back: of tasks whose passes are recorded, and of which nobody has recorded that
 * they are on the disk. Of two tasks with one id nobody can say which was ticked.
 *
 * @param found The plan as it is now.
 */
export function lostBoxes({ unflushed }: Pick<RunState, "unflushed">, { tasks }: Pick<Plan, "tasks">): TaskId[] {
  const ids = tasks.map(({ id }) => id);
  return tasks.flatMap(({ id, done }) => {
    const isOne = ids.indexOf(id) === ids.lastIndexOf(id);
    return !done && isOne && Object.hasOwn(unflushed, id) ? [id] : [];
  });
}
