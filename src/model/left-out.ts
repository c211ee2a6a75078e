import type { Plan } from "./plan.ts";
import type { TaskId } from "./task-id.ts";

/**
 * Open tasks that a run goes on without: those that are skipped, all that stands in them, and all that was made for
 * them, also where a person has done them meanwhile.
 */
export function leftOut({ tasks }: Pick<Plan, "tasks">, skipped: Iterable<TaskId>): ReadonlySet<TaskId> {
  const roots = new Set(skipped);
  if (roots.size === 0) return roots;
  const out = new Set<TaskId>();
  const within = new Set<TaskId>();
  let known: number;
  do {
    known = within.size;
    for (const { id, done, fixOf, parent } of tasks) {
      const isBelow = (fixOf !== null && within.has(fixOf)) || (parent !== null && out.has(parent));
      if (!roots.has(id) && !isBelow) continue;
      within.add(id);
      if (!done) out.add(id);
    }
    // Somebody may have moved a fix to before the task it was made for.
  } while (within.size > known);
  return out;
}

/** A plan in which what is left out is nobody's turn. */
export function planWithout(plan: Plan, skipped: Iterable<TaskId>): Plan {
  const out = leftOut(plan, skipped);
  if (out.size === 0) return plan;
  return { ...plan, tasks: plan.tasks.map((task) => (out.has(task.id) ? { ...task, done: true } : task)) };
}
