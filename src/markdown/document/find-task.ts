import { InputError } from "../../model/errors.ts";
import type { TaskId } from "../../model/task.ts";
import { pagesWith } from "./id-index.ts";
import type { Layout } from "./layout.ts";
import { indexOfUnnamed, type Page } from "./page.ts";
import { placeOne, type TaskPlace } from "./place-one.ts";

/**
 * The one task of that id. Looks at the pages that have it, not at every task.
 *
 * @throws {InputError} `task-not-found`, `ambiguous-task`
 */
export function findTask(layout: Layout, id: TaskId): TaskPlace {
  const [place, other] = tasksOf(layout, id);
  if (place === undefined) {
    throw new InputError(`Cannot find task \`${id}\`, expected it in the plan`, {
      code: "task-not-found",
      hint: "Name one of the tasks that stand in tasks.md",
    });
  }
  if (other !== undefined) {
    const lines = `${place.task.line} and ${other.task.line}`;
    throw new InputError(`Cannot find task \`${id}\`, expected one but lines ${lines} have it`, {
      code: "ambiguous-task",
      hint: "Give one of the two tasks another id.",
    });
  }
  return place;
}

/** The tasks of an id, in order. */
export function tasksOf(layout: Layout, id: TaskId): TaskPlace[] {
  const { pages, names } = layout;
  const named = names.indexOf(id);
  // An id is given to one task only, and to none that another one has.
  if (named >= 0) return [placeUnnamed(layout, named)];
  const places: TaskPlace[] = [];
  for (const number of pagesWith(layout.ids, pages, id)) {
    const indexes = (pages[number] as Page).ids().get(id) as readonly number[];
    for (const at of indexes) places.push(placeOne(layout, number, at));
  }
  return places;
}

function placeUnnamed(layout: Layout, named: number): TaskPlace {
  let rest = named;
  let number = 0;
  for (let page = layout.pages[0] as Page; rest >= page.unnamed; page = layout.pages[number] as Page) {
    rest -= page.unnamed;
    number += 1;
  }
  return placeOne(layout, number, indexOfUnnamed(layout.pages[number] as Page, rest));
}

/** A task by its index among all; undefined behind the last. */
export function taskAt(layout: Layout, index: number): TaskPlace | undefined {
  let before = 0;
  for (let number = 0; number < layout.pages.length; number += 1) {
    const { tasks } = layout.pages[number] as Page;
    if (index >= before && index < before + tasks) return placeOne(layout, number, index - before);
    before += tasks;
  }
  return undefined;
}
