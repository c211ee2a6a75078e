import type { Task } from "./task.ts";
import type { TaskId } from "./task-id.ts";

/** What a list of tasks says, whatever its boxes are. */
interface Outline {
  /** Index of the first fix task of each id, in order. */
  readonly fixes: ReadonlyMap<TaskId, number>;
  /** Whether a task stands in another one. */
  readonly isNested: boolean;
}

interface Known {
  readonly outline: Outline;
  /** All tasks before it are done. */
  doneTo: number;
}

/** Lists are never changed, so that each is looked through once. */
const lists = new WeakMap<readonly Task[], Known>();

function knownOf(tasks: readonly Task[]): Known {
  const known = lists.get(tasks);
  if (known !== undefined) return known;
  const fixes = new Map<TaskId, number>();
  let isNested = false;
  // Each insertion makes another list: no pair is made for each of its tasks.
  tasks.forEach(({ id, fixOf, parent }, index) => {
    if (fixOf !== null && !fixes.has(id)) fixes.set(id, index);
    if (parent !== null) isNested = true;
  });
  const made = { outline: { fixes, isNested }, doneTo: 0 };
  lists.set(tasks, made);
  return made;
}

export const outlineOf = (tasks: readonly Task[]): Outline => knownOf(tasks).outline;

/** The first task that is open; undefined when all are done. */
export function firstOpen(tasks: readonly Task[]): Task | undefined {
  const known = knownOf(tasks);
  while (tasks[known.doneTo]?.done === true) known.doneTo += 1;
  return tasks[known.doneTo];
}

/** Another list differs in boxes only, from an index on: what is known of one holds for the other. */
export function carryOutline(tasks: readonly Task[], others: readonly Task[], from: number): void {
  const known = lists.get(tasks);
  if (known !== undefined) lists.set(others, { outline: known.outline, doneTo: Math.min(known.doneTo, from) });
}
