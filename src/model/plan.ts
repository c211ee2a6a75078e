import type { Problem } from "./rule.ts";
import { fixId, lineageOf, repairedBy, roleOf, type Task, type TaskId } from "./task.ts";

/** The tool whose format a plan uses; `checklist` if unknown or mixed. */
export type Dialect =
  | "spec-kit"
  | "ralph-specum"
  | "openspec"
  | "kiro"
  | "cc-sdd"
  | "superpowers"
  | "bmad"
  | "gsd"
  | "checklist";

interface Outline {
  /** Index of the fix task with this id; the first index if ids repeat. */
  readonly fixes: ReadonlyMap<TaskId, number>;
  readonly isNested: boolean;
}

interface Known {
  readonly outline: Outline;
  /** Tasks before this index are done; later tasks may be done as well. */
  doneTo: number;
}

/** Results of scanning, by list of tasks. A list never changes, so each list is scanned once. */
const lists = new WeakMap<readonly Task[], Known>();

function knownOf(tasks: readonly Task[]): Known {
  const known = lists.get(tasks);
  if (known !== undefined) return known;
  const fixes = new Map<TaskId, number>();
  let isNested = false;
  // Avoid allocations for each task, since each insertion into a plan creates a new list to scan.
  tasks.forEach(({ id, fixOf, parent }, index) => {
    if (fixOf !== null && !fixes.has(id)) fixes.set(id, index);
    if (parent !== null) isNested = true;
  });
  const made = { outline: { fixes, isNested }, doneTo: 0 };
  lists.set(tasks, made);
  return made;
}

const outlineOf = (tasks: readonly Task[]): Outline => knownOf(tasks).outline;

function firstOpen(tasks: readonly Task[]): Task | undefined {
  const known = knownOf(tasks);
  while (tasks[known.doneTo]?.done === true) known.doneTo += 1;
  return tasks[known.doneTo];
}

/** Reuse the outline of `tasks` for `others`, which differ only in boxes at or after index `from`. */
export function carryOutline(tasks: readonly Task[], others: readonly Task[], from: number): void {
  const known = lists.get(tasks);
  if (known !== undefined) lists.set(others, { outline: known.outline, doneTo: Math.min(known.doneTo, from) });
}

/** A heading and the tasks below it. */
export interface Phase {
  readonly title: string;
  readonly line: number;
  readonly tasks: readonly TaskId[];
}

/** Content of a `tasks.md`, in the order of the document. */
export interface Plan {
  readonly dialect: Dialect;
  readonly tasks: readonly Task[];
  readonly phases: readonly Phase[];
  readonly problems: readonly Problem[];
}

/** Numbers of planned tasks, fix tasks and pull-request tasks. */
export interface TaskCounts {
  readonly original: number;
  readonly fixes: number;
  readonly added?: number;
}

/** Whether a task is counted. A fix task is counted with the task it repairs, and a group with its sub-tasks. */
export const isPlanned = ({ fixOf, isGroup }: Pick<Task, "fixOf" | "isGroup">): boolean =>
  fixOf === null && isGroup === undefined;

/** @param forPullRequest Ids of tasks added for a pull request. */
export function countTasks(
  tasks: readonly Pick<Task, "id" | "fixOf" | "isGroup">[],
  forPullRequest: Iterable<TaskId> = [],
): TaskCounts {
  const ids = new Set(forPullRequest);
  const fixes = tasks.filter(({ fixOf }) => fixOf !== null).length;
  const roots = tasks.filter(isPlanned);
  const added = roots.filter(({ id }) => ids.has(id)).length;
  return { original: roots.length - added, fixes, ...(added > 0 && { added }) };
}

/** The next task to work on. `current` is `root` or a fix task in its tree. */
export interface NextTask {
  readonly root: TaskId;
  readonly current: TaskId;
}

/**
 * Find the next task. Open sub-tasks come before their parent. Open fix tasks come before the task that they repair;
 * the deepest open fix task comes first. A sub-task is a root: only fix tasks belong to the tree of another task.
 */
export function nextTask(plan: Pick<Plan, "tasks">): NextTask | null {
  const next = nextTree(plan);
  return next && { root: next.root.id, current: next.current.id };
}

/** Like `nextTask`, but returns the tasks themselves. */
export function nextTree({ tasks }: Pick<Plan, "tasks">): Tree | null {
  const first = firstOpen(tasks);
  if (first === undefined) return null;
  let next = treeOf(tasks, first);
  // Ids are free text: a sub-task may have the id of its parent.
  const entered = new Set<Task>();
  for (let inner = innermost(tasks, next); inner !== null && !entered.has(inner); inner = innermost(tasks, next)) {
    entered.add(inner);
    next = treeOf(tasks, inner);
  }
  return next;
}

/** Return a function that finds the next task in the tree of a root: its deepest open fix task, or the root itself. */
export const treesOf =
  ({ tasks }: Pick<Plan, "tasks">): ((root: Task) => Task) =>
  (root) =>
    deepestOpen(tasks, root);

/**
 * Number for the next fix task of `task`, which already has `made` fix tasks. Numbers that the plan uses are skipped.
 */
export function nextFixNumber(plan: Pick<Plan, "tasks">, task: TaskId, made: number): number {
  let number = made + 1;
  const isUsed = (fix: TaskId): boolean => plan.tasks.some(({ id }) => id === fix);
  while (isUsed(fixId(task, number))) number += 1;
  return number;
}

interface Tree {
  readonly root: Task;
  readonly current: Task;
}

function treeOf(tasks: readonly Task[], task: Task): Tree {
  let root = task;
  // Markers are free text: they may form a cycle.
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

  /** Whether a fix task belongs to the tree, by both its marker and its id. */
  function isBelowRoot(fix: Task): boolean {
    return lineageOf(fix.id, repaired).slice(0, -1).includes(root.id);
  }
}

/** First open sub-task, at any depth, that has no open sub-tasks. */
function innermost(tasks: readonly Task[], { root, current }: Tree): Task | null {
  if (!outlineOf(tasks).isNested) return null;
  // A fix task may have sub-tasks too, and a done task may contain open sub-tasks.
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

/**
 * Find the batch at the first open task: the open tasks among consecutive `[P]` tasks of one phase, each with the next
 * task of its tree. A `[VERIFY]` or unmarked task ends a batch; a fix task does not. Null if fewer than two tasks are
 * open.
 *
 * @param sequential Tasks that never belong to a batch.
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
  task.markers.includes("P") && roleOf(task) === "executor" && task.fixOf === null && task.aside === undefined;
