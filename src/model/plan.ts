import type { Problem } from "./problem.ts";
import type { Task } from "./task.ts";
import { descendsFrom, fixId, type TaskId } from "./task-id.ts";

/** A heading and the tasks below it. */
export interface Phase {
  readonly title: string;
  readonly line: number;
  readonly tasks: readonly TaskId[];
}

/** What a `tasks.md` says, in document order. */
export interface Plan {
  readonly tasks: readonly Task[];
  readonly phases: readonly Phase[];
  readonly problems: readonly Problem[];
}

/** The task to work on next: the root that is being finished and the task of its tree that is up. */
export interface NextTask {
  readonly root: TaskId;
  readonly current: TaskId;
}

/**
 * The first open task of a plan. When it has open fix tasks the deepest of them is up first, since nothing
 * above it can pass before it does.
 */
export function nextTask(plan: Pick<Plan, "tasks">): NextTask | null {
  const first = plan.tasks.find((task) => !task.done);
  if (first === undefined) return null;
  let root = first;
  // Markers are written by anybody, so they may run in a circle.
  const climbed = new Set<Task>();
  for (let parent = above(root); parent !== undefined && !parent.done && !climbed.has(parent); parent = above(root)) {
    climbed.add(parent);
    root = parent;
  }
  const open = plan.tasks.filter((task) => task.fixOf !== null && !task.done && descendsFrom(task.id, root.id));
  const current = open.reduce<Task>((deepest, task) => (depth(task) >= depth(deepest) ? task : deepest), root);
  return { root: root.id, current: current.id };

  function above(task: Task): Task | undefined {
    return task.fixOf === null ? undefined : plan.tasks.find(({ id }) => id === task.fixOf);
  }
}

/**
 * The number of the next fix task of a task for which `made` were made: the one after those, or the next that no
 * task of the plan uses as its suffix.
 */
export function nextFixNumber(plan: Pick<Plan, "tasks">, task: TaskId, made: number): number {
  const used = new Set(plan.tasks.map(({ id }) => id));
  let number = made + 1;
  while (used.has(fixId(task, number))) number += 1;
  return number;
}

const depth = (task: Task): number => task.id.split(".").length;
