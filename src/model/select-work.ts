import { nextBatch, nextTree, type Plan } from "./plan.ts";
import { type AsideChoice, asideIn, planWithout } from "./plan-parts.ts";
import type { Task, TaskId } from "./task.ts";

export function groupsOf(tasks: readonly Task[]): (task: Task) => Task | undefined {
  const groups = new Map(tasks.flatMap((task) => (task.isGroup === true ? [[task.id, task] as const] : [])));
  return ({ parent }) => (parent === null ? undefined : groups.get(parent));
}

/**
 * Mark as done every task that cannot begin now: groups, tasks that are not delegated, and tasks with open
 * dependencies. If no open task can begin, since dependencies form a circle, no task waits. Lint refuses a circle.
 */
export function selectWork(plan: Plan, choice: AsideChoice): Plan {
  if (!plan.tasks.some(({ aside, after, isGroup }) => aside ?? after ?? isGroup)) return plan;
  const { tasks } = planWithout(plan, asideIn(plan.tasks, choice));
  const holderOf = groupsOf(tasks);
  const open = new Set<TaskId>();
  for (const task of tasks) {
    if (task.done || task.isGroup === true) continue;
    // A group is open while any of its tasks is open.
    for (let one: Task | undefined = task; one !== undefined && !open.has(one.id); one = holderOf(one))
      open.add(one.id);
  }
  const known = new Map<Task, boolean>();
  const waits = (task: Task): boolean => {
    const told = known.get(task);
    if (told !== undefined) return told;
    // Ids are free text: two groups may contain each other.
    known.set(task, false);
    const holder = holderOf(task);
    const isWaiting = (task.after ?? []).some((id) => open.has(id)) || (holder !== undefined && waits(holder));
    known.set(task, isWaiting);
    return isWaiting;
  };
  const mayBegin = tasks.some((task) => open.has(task.id) && !waits(task));
  const isTurn = (task: Task): boolean => task.isGroup !== true && (!mayBegin || !waits(task));
  if (tasks === plan.tasks && tasks.every((task) => task.done || isTurn(task))) return plan;
  return { ...plan, tasks: tasks.map((task) => (task.done || isTurn(task) ? task : { ...task, done: true })) };
}

/**
 * Find open groups whose tasks are all done, except for optional tasks that the run does not do; innermost first. A
 * group without a done task stays open.
 */
export function doneGroups(tasks: readonly Task[], { optional }: Pick<AsideChoice, "optional">): TaskId[] {
  const closed: TaskId[] = [];
  /** Tasks seen so far, by parent. The loop goes through the plan backwards. */
  const held = new Map<TaskId, { isDone: boolean; isLeft: boolean }[]>();
  for (const task of tasks.toReversed()) {
    const inner = held.get(task.id) ?? [];
    held.delete(task.id);
    let isDone = task.done;
    if (task.isGroup === true && !isDone) {
      isDone = inner.some((one) => one.isDone) && inner.every((one) => one.isDone || one.isLeft);
      if (isDone) closed.push(task.id);
    }
    if (task.parent === null || task.fixOf !== null) continue;
    const beside = held.get(task.parent) ?? [];
    beside.push({ isDone, isLeft: task.aside === "optional" && !optional });
    held.set(task.parent, beside);
  }
  return closed;
}

/**
 * Predict the order of the open tasks if each of them passes; tasks of one step run in parallel.
 *
 * @param most Maximum number of steps.
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
    const work = selectWork(left, choice);
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
