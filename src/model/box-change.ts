import type { Plan } from "./plan.ts";
import type { TaskId } from "./task-id.ts";

/** Tasks whose boxes are other than they were. */
export interface BoxChange {
  readonly set: TaskId[];
  readonly cleared: TaskId[];
}

/** What was ticked and cleared between two readings of a plan; null when nothing was. A new task had no tick before. */
export function boxChange(before: Pick<Plan, "tasks">, after: Pick<Plan, "tasks">): BoxChange | null {
  const done = new Map(before.tasks.map((task) => [task.id, task.done]));
  const changed = after.tasks.filter((task) => task.done !== (done.get(task.id) ?? false));
  if (changed.length === 0) return null;
  const idsOf = (isDone: boolean): TaskId[] => changed.filter((task) => task.done === isDone).map(({ id }) => id);
  return { set: idsOf(true), cleared: idsOf(false) };
}

/** A plan as it would be with a change of its boxes. */
export function withBoxes(plan: Plan, { set, cleared }: BoxChange): Plan {
  const tasks = plan.tasks.map((task) => {
    const done = set.includes(task.id) || (task.done && !cleared.includes(task.id));
    return done === task.done ? task : { ...task, done };
  });
  return { ...plan, tasks };
}
