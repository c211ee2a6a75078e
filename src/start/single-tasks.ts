import type { Task } from "../model/task.ts";
import type { TaskId } from "../model/task-id.ts";

/** Tasks by their ids, without those that share one: of two with one id nobody can say which is meant. */
export function singleTasks(tasks: readonly Task[]): ReadonlyMap<TaskId, Task> {
  const found = new Map<TaskId, Task>();
  const shared = new Set<TaskId>();
  for (const task of tasks) {
    if (found.has(task.id)) shared.add(task.id);
    found.set(task.id, task);
  }
  for (const id of shared) found.delete(id);
  return found;
}
