import type { Dialect } from "./dialect.ts";
import type { Problem } from "./problem.ts";
import type { Task } from "./task.ts";
import { fixId, lineageOf, repairedBy, type TaskId } from "./task-id.ts";
import { firstOpen, outlineOf } from "./task-list.ts";

/** A heading and the tasks below it. */
export interface Phase {
  readonly title: string;
  readonly line: number;
  readonly tasks: readonly TaskId[];
}

/** What a `tasks.md` says, in document order. */
export interface Plan {
  readonly dialect: Dialect;
  readonly tasks: readonly Task[];
  readonly phases: readonly Phase[];
  readonly problems: readonly Problem[];
}

/** How many tasks were planned, and how many were made to repair another. */
export function countTasks(tasks: readonly Pick<Task, "fixOf">[]): { original: number; fixes: number } {
  const fixes = tasks.filter(({ fixOf }) => fixOf !== null).length;
  return { original: tasks.length - fixes, fixes };
}

/** The task to work on next: the root that is being finished and the task of its tree that is up. */
export interface NextTask {
  readonly root: TaskId;
  readonly current: TaskId;
}

/**
 * The first open task of a plan. Its open sub-tasks are up before it, and open fix tasks before what they repair, the
 * deepest first. A sub-task is the root of a tree of its own: only fix tasks make one.
 */
export function nextTask(plan: Pick<Plan, "tasks">): NextTask | null {
  const next = nextTree(plan);
  return next && { root: next.root.id, current: next.current.id };
}

/** The same, as tasks. */
export function nextTree({ tasks }: Pick<Plan, "tasks">): Tree | null {
  const first = firstOpen(tasks);
  if (first === undefined) return null;
  let next = treeOf(tasks, first);
  // Ids are written by anybody: a sub-task may have that of the task it stands in.
  const entered = new Set<Task>();
  for (let inner = innermost(tasks, next); inner !== null && !entered.has(inner); inner = innermost(tasks, next)) {
    entered.add(inner);
    next = treeOf(tasks, inner);
  }
  return next;
}

/** Finds the deepest open fix task that was made for a task, the task itself without any: there its tree goes on. */
export const treesOf =
  ({ tasks }: Pick<Plan, "tasks">): ((root: Task) => Task) =>
  (root) =>
    deepestOpen(tasks, root);

/**
 * The number of the next fix task of a task for which `made` were made: the one after those, or the next that no
 * task of the plan uses as its suffix.
 */
export function nextFixNumber(plan: Pick<Plan, "tasks">, task: TaskId, made: number): number {
  let number = made + 1;
  const isUsed = (fix: TaskId): boolean => plan.tasks.some(({ id }) => id === fix);
  while (isUsed(fixId(task, number))) number += 1;
  return number;
}

/** A tree that is being finished: its root, and the task of it that is up. */
export interface Tree {
  readonly root: Task;
  readonly current: Task;
}

/** The tree of fixes that a task is in, and the deepest open task of it. */
function treeOf(tasks: readonly Task[], task: Task): Tree {
  let root = task;
  // Markers are written by anybody, so they may run in a circle.
  const climbed = new Set<Task>();
  for (let above = repaired(root); above !== undefined && !above.done && !climbed.has(above); above = repaired(root)) {
    climbed.add(above);
    root = above;
  }
  return { root, current: deepestOpen(tasks, root) };

  function repaired({ fixOf }: Task): Task | undefined {
    return fixOf === null ? undefined : (fixIn(tasks, fixOf) ?? tasks.find(({ id }) => id === fixOf));
  }
}

/** The first fix task of an id. */
function fixIn(tasks: readonly Task[], id: TaskId): Task | undefined {
  const index = outlineOf(tasks).fixes.get(id);
  return index === undefined ? undefined : tasks[index];
}

function deepestOpen(tasks: readonly Task[], root: Task): Task {
  const repaired = (id: TaskId): TaskId | null => {
    const marked = fixIn(tasks, id)?.fixOf ?? null;
    return marked === repairedBy(id) ? marked : null;
  };
  let deepest = root;
  for (const index of outlineOf(tasks).fixes.values()) {
    const fix = tasks[index] as Task;
    if (!fix.done && depth(fix) >= depth(deepest) && isBelowRoot(fix)) deepest = fix;
  }
  return deepest;

  /** Whether a fix was made for the root, by its marker and by its id. */
  function isBelowRoot(fix: Task): boolean {
    return lineageOf(fix.id, repaired).slice(0, -1).includes(root.id);
  }
}

/** The first open sub-task of a task, at any depth, or of that one and so on; null when it has none. */
function innermost(tasks: readonly Task[], { root, current }: Tree): Task | null {
  if (!outlineOf(tasks).isNested) return null;
  // A fix may have sub-tasks as well, and what stands in a done one may be open.
  let inside = new Set([root.id, current.id]);
  let found: Task | null = null;
  for (const task of tasks) {
    if (task.parent === null || !inside.has(task.parent)) continue;
    if (!task.done) {
      found = task;
      inside = new Set();
    }
    inside.add(task.id);
  }
  return found;
}

const depth = (task: Task): number => task.id.split(".").length;
