import { InputError } from "../model/errors.ts";
import type { Task } from "../model/task.ts";
import type { WholePorts } from "./with-memory.ts";

/**
 * The task of the plan as the coordinator knows it.
 *
 * @throws {InputError} `task-not-found`
 */
export async function findTask({ plan }: WholePorts, id: string): Promise<Task> {
  const { tasks } = (await plan.known()).plan;
  const task = tasks.find((candidate) => candidate.id === id);
  if (task !== undefined) return task;
  throw new InputError(`Cannot find task \`${id}\`, expected it in the plan`, { code: "task-not-found" });
}
