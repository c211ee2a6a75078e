import { type NextTask, nextTree, type Plan, treesOf } from "./plan.ts";
import { roleOf, type Task } from "./task.ts";
import type { TaskId } from "./task-id.ts";

/**
 * The batch that the first open task of a plan begins: the open ones of consecutive `[P]` tasks of one phase, each
 * with where in its tree to go on. `[VERIFY]` and unmarked tasks end it, fix tasks do not. Null when fewer than two
 * are open, so that the task is done on its own.
 *
 * @param sequential Tasks that are done on their own whatever their markers say.
 */
export function nextBatch({ tasks }: Pick<Plan, "tasks">, sequential: ReadonlySet<TaskId>): NextTask[] | null {
  const first = nextTree({ tasks })?.root;
  if (first === undefined || !mayBeMember(first)) return null;
  const holders = new Set(tasks.map(({ parent }) => parent));
  if (!isMember(first)) return null;
  const members: NextTask[] = [];
  const currentIn = treesOf({ tasks });
  for (const task of tasks.slice(tasks.indexOf(first))) {
    if (task.fixOf !== null) continue;
    if (!isMember(task) || task.phase !== first.phase || task.parent !== first.parent) break;
    if (!task.done) members.push({ root: task.id, current: currentIn(task).id });
  }
  return members.length > 1 ? members : null;

  function isMember(task: Task): boolean {
    return mayBeMember(task) && !holders.has(task.id) && !sequential.has(task.id);
  }
}

const mayBeMember = (task: Task): boolean =>
  task.markers.includes("P") && roleOf(task) === "executor" && task.fixOf === null;
