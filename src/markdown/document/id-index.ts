import type { TaskId } from "../../model/task.ts";
import type { Page } from "./page.ts";

/** Which pages have a task of an id, as long as most pages are those it was made for. */
export interface IdIndex {
  readonly numbers: ReadonlyMap<TaskId, readonly number[]>;
  /** Numbers of pages that have changed since. */
  readonly changed: readonly number[];
}

/** Pages that may change before it is made anew. */
const most = 8;

/** Find out which pages have which written ids. */
export function indexPages(pages: readonly Page[]): IdIndex {
  const numbers = new Map<TaskId, number[]>();
  pages.forEach(({ chunks }, number) => {
    for (const { tasks } of chunks) {
      for (const { id } of tasks) {
        const others = id === null ? undefined : numbers.get(id);
        if (others !== undefined && others.at(-1) !== number) others.push(number);
        if (id !== null && others === undefined) numbers.set(id, [number]);
      }
    }
  });
  return { numbers, changed: [] };
}

/** What is still known of the pages of the next version; undefined when that is too little. */
export function carryIndex(
  { numbers, changed }: IdIndex,
  before: readonly Page[],
  after: readonly Page[],
): IdIndex | undefined {
  if (before.length !== after.length) return undefined;
  const now = [...changed];
  for (let number = 0; number < after.length; number += 1) {
    // A page keeps its function as long as it keeps its ids.
    if (before[number]?.ids !== after[number]?.ids && !now.includes(number)) now.push(number);
    if (now.length > most) return undefined;
  }
  return { numbers, changed: now };
}

/** Numbers of the pages that have a task of a written id, in order. */
export function pagesWith({ numbers, changed }: IdIndex, pages: readonly Page[], id: TaskId): readonly number[] {
  const there = numbers.get(id) ?? [];
  if (changed.length === 0) return there;
  const known = there.filter((number) => !changed.includes(number));
  const found = changed.filter((number) => pages[number]?.ids().has(id));
  return [...known, ...found].sort((one, other) => one - other);
}
