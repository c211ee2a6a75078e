import type { Plan } from "./plan.ts";
import type { TaskId } from "./task-id.ts";

/** Open tasks that a run goes on without: those that are skipped, and all that was made for them or stands in them. */
export function leftOut({ tasks }: Pick<Plan, "tasks">, skipped: Iterable<TaskId>): ReadonlySet<TaskId> {
  const roots = new Set(skipped);
  if (roots.size === 0) return roots;
  const out = new Set<TaskId>();
  for (const { id, done, fixOf, parent } of tasks) {
    const isBelow = (fixOf !== null && out.has(fixOf)) || (parent !== null && out.has(parent));
    if (!done && (roots.has(id) || isBelow)) out.add(id);
  }
  return out;
}

/** A plan in which what is left out is nobody's turn. */
export function planWithout(plan: Plan, skipped: Iterable<TaskId>): Plan {
  const out = leftOut(plan, skipped);
  if (out.size === 0) return plan;
  return { ...plan, tasks: plan.tasks.map((task) => (out.has(task.id) ? { ...task, done: true } : task)) };
}
