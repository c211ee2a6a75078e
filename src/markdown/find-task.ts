import { InputError } from "../model/errors.ts";
import type { Plan } from "../model/plan.ts";
import type { Task } from "../model/task.ts";
import type { TaskId } from "../model/task-id.ts";

/**
 * The one task of that id.
 *
 * @throws {InputError} `task-not-found`, `ambiguous-task`
 */
export function findTask(plan: Plan, id: TaskId): Task {
  const [task, other] = plan.tasks.filter((found) => found.id === id);
  if (task === undefined) {
    throw new InputError(`Cannot find task \`${id}\`, expected it in the plan`, {
      code: "task-not-found",
      hint: "List the tasks with `fixpoint status`.",
    });
  }
  if (other !== undefined) {
    throw new InputError(`Cannot find task \`${id}\`, expected one but lines ${task.line} and ${other.line} have it`, {
      code: "ambiguous-task",
      hint: "Give one of the two tasks another id.",
    });
  }
  return task;
}
