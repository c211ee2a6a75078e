import { findTask as findIn } from "../markdown/document/find-task.ts";
import { withCheck } from "../markdown/tasks/read-verify.ts";
import { plannedTask, type Task } from "../model/task.ts";
import type { WholePorts } from "./with-memory.ts";

/**
 * Find a task in the known plan, with the Verify that judges it. A part of a decomposed task is a separate task, with
 * the `Files` of the decomposed task and without a Verify.
 *
 * @throws {InputError} `task-not-found`, `ambiguous-task`
 */
export async function findTask(
  { plan, attempts, check }: Pick<WholePorts, "plan" | "attempts" | "check">,
  id: string,
): Promise<Task> {
  const { task } = findIn(await plan.known(), plannedTask(id));
  if (task.id === id) return withCheck(task, check);
  const { files } = task.fields;
  return {
    ...task,
    id,
    title: attempts.part(id) ?? task.title,
    // The executor of the whole task also does its parts.
    markers: task.markers.filter((marker) => marker === "VERIFY"),
    fixOf: null,
    fields: files === undefined ? {} : { files },
  };
}
