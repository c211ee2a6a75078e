import type { Dialect } from "./dialect.ts";
import type { Problem } from "./problem.ts";
import type { Task } from "./task.ts";
import { fixId, lineageOf, repairedBy, type TaskId } from "./task-id.ts";

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
export function nextTask({ tasks }: Pick<Plan, "tasks">): NextTask | null {
  const first = tasks.find(({ done }) => !done);
  if (first === undefined) return null;
  const fixes = fixesIn(tasks);
  let next = treeOf(tasks, fixes, first);
  // Ids are written by anybody: a sub-task may have that of the task it stands in.
  const entered = new Set<Task>();
  for (let inner = innermost(tasks, next); inner !== null && !entered.has(inner); inner = innermost(tasks, next)) {
    entered.add(inner);
    next = treeOf(tasks, fixes, inner);
  }
  return { root: next.root.id, current: next.current.id };
}

/** Finds the deepest open fix task that was made for a task, the task itself without any: there its tree goes on. */
export function treesOf({ tasks }: Pick<Plan, "tasks">): (root: Task) => Task {
  const fixes = fixesIn(tasks);
  return (root) => deepestOpen(fixes, root);
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

interface Tree {
  readonly root: Task;
  readonly current: Task;
}

/** The tree of fixes that a task is in, and the deepest open task of it. @param fixes All fix tasks by id. */
function treeOf(tasks: readonly Task[], fixes: ReadonlyMap<TaskId, Task>, task: Task): Tree {
  let root = task;
  // Markers are written by anybody, so they may run in a circle.
  const climbed = new Set<Task>();
  for (let above = repaired(root); above !== undefined && !above.done && !climbed.has(above); above = repaired(root)) {
    climbed.add(above);
    root = above;
  }
  return { root, current: deepestOpen(fixes, root) };

  function repaired({ fixOf }: Task): Task | undefined {
    return fixOf === null ? undefined : (fixes.get(fixOf) ?? tasks.find(({ id }) => id === fixOf));
  }
}

function fixesIn(tasks: readonly Task[]): ReadonlyMap<TaskId, Task> {
  const fixes = new Map<TaskId, Task>();
  for (const task of tasks) if (task.fixOf !== null && !fixes.has(task.id)) fixes.set(task.id, task);
  return fixes;
}

function deepestOpen(fixes: ReadonlyMap<TaskId, Task>, root: Task): Task {
  const repaired = (id: TaskId): TaskId | null => {
    const marked = fixes.get(id)?.fixOf ?? null;
    return marked === repairedBy(id) ? marked : null;
  };
  let deepest = root;
  for (const fix of fixes.values()) {
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
