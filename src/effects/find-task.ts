import { findTask as findIn } from "../markdown/document/find-task.ts";
import type { Task } from "../model/task.ts";
import type { WholePorts } from "./with-memory.ts";

/**
 * The task of the plan as the coordinator knows it.
 *
 * @throws {InputError} `task-not-found`, `ambiguous-task`
 */
export const findTask = async ({ plan }: Pick<WholePorts, "plan">, id: string): Promise<Task> =>
  findIn(await plan.known(), id).task;
