import { nextBatch, nextTree, type Plan } from "./plan.ts";
import type { AsideChoice } from "./plan-parts.ts";
import type { Task } from "./task.ts";
import { doneGroups, workIn } from "./work-in.ts";

/**
 * Predict the order of a plan's open tasks, as if each passes; tasks of one step run in parallel.
 *
 * @param most Maximum number of steps to look up.
 */
export function orderOf(
  plan: Plan,
  { maxParallel, ...choice }: AsideChoice & { readonly maxParallel: number },
  most: number,
): readonly (readonly Task[])[] {
  const steps: (readonly Task[])[] = [];
  let left = plan;
  while (steps.length < most) {
    const closed = new Set(doneGroups(left.tasks, choice));
    if (closed.size > 0) left = ticked(left, closed);
    const work = workIn(left, choice);
    const batch = maxParallel > 1 ? nextBatch(work, new Set()) : null;
    const next = batch?.map(({ current }) => current) ?? [nextTree(work)?.current.id];
    const step = new Set(next);
    const tasks = left.tasks.filter(({ id, done }) => !done && step.has(id));
    if (tasks.length === 0) return steps;
    steps.push(tasks);
    left = ticked(left, step);
  }
  return steps;
}

const ticked = (plan: Plan, ids: ReadonlySet<string | undefined>): Plan => ({
  ...plan,
  tasks: plan.tasks.map((task) => (ids.has(task.id) ? { ...task, done: true } : task)),
});
