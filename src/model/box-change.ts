import type { Plan } from "./plan.ts";
import type { TaskId } from "./task-id.ts";

/** Tasks whose boxes are other than they were. */
export interface BoxChange {
  readonly set: TaskId[];
  readonly cleared: TaskId[];
}

/** What was ticked and cleared between two readings of a plan; null when nothing was. A new task had no tick before. */
export function boxChange(before: Pick<Plan, "tasks">, after: Pick<Plan, "tasks">): BoxChange | null {
  if (before.tasks === after.tasks) return null;
  const done = new Map(before.tasks.map((task) => [task.id, task.done]));
  const changed = after.tasks.filter((task) => task.done !== (done.get(task.id) ?? false));
  if (changed.length === 0) return null;
  const idsOf = (isDone: boolean): TaskId[] => changed.filter((task) => task.done === isDone).map(({ id }) => id);
  return { set: idsOf(true), cleared: idsOf(false) };
}

/** Two changes, one behind the other. */
export function joinBoxes(first: BoxChange | null, { set, cleared }: BoxChange): BoxChange {
  if (first === null) return { set, cleared };
  const [nowCleared, nowSet] = [new Set(cleared), new Set(set)];
  return {
    set: [...new Set([...first.set.filter((id) => !nowCleared.has(id)), ...set])],
    cleared: [...new Set([...first.cleared.filter((id) => !nowSet.has(id)), ...cleared])],
  };
}

/** What of a change is about some tasks; null when nothing is. */
export function boxesOf({ set, cleared }: BoxChange, tasks: ReadonlySet<TaskId>): BoxChange | null {
  const part = { set: set.filter((id) => tasks.has(id)), cleared: cleared.filter((id) => tasks.has(id)) };
  return part.set.length + part.cleared.length === 0 ? null : part;
}

/** A plan as it would be with a change of its boxes. */
export function withBoxes(plan: Plan, change: BoxChange): Plan {
  const [set, cleared] = [new Set(change.set), new Set(change.cleared)];
  const tasks = plan.tasks.map((task) => {
    const done = set.has(task.id) || (task.done && !cleared.has(task.id));
    return done === task.done ? task : { ...task, done };
  });
  return { ...plan, tasks };
}
