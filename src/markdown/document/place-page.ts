import { carryOutline } from "../../model/plan.ts";
import type { Task, TaskId } from "../../model/task.ts";
import { type Layout, type PageStart, startOfPage, startsOfPages } from "./layout.ts";
import type { Page } from "./page.ts";
import { phaseBehind } from "./phase-behind.ts";
import { allWritten, hasMoved, isPlaced, moveTasks, placeChunk } from "./place-chunk.ts";

/** The tasks of a page, with their place in the document. */
export function placePage(layout: Layout, number: number, start: PageStart): readonly Task[] {
  const page = layout.pages[number] as Page;
  const { offset, line, phase, unnamed } = start;
  const names = page.unnamed === 0 ? allWritten : layout.names.slice(unnamed, unnamed + page.unnamed);
  const place = { offset, line, phase, phaseLevel: layout.phaseLevel, names };
  if (isPlaced(page.placed, place)) return page.placed.tasks;
  const tasks = hasMoved(page.placed, place)
    ? moveTasks(page.placed, place)
    : placeTasks(page, start, names, layout.phaseLevel);
  page.placed = { ...place, tasks };
  return tasks;
}

/** The tasks of documents, by their pages. */
const placed = new WeakMap<readonly Page[], readonly Task[]>();

/**
 * The tasks of a document in order, with their place in it.
 *
 * @param before Pages of a document that differs in boxes only, where one is known.
 */
export function placeAll(layout: Layout, before?: readonly Page[]): readonly Task[] {
  const none: Task[] = [];
  const tasks =
    (before && placeChanged(layout, before)) ??
    none.concat(...startsOfPages(layout).map((start, number) => placePage(layout, number, start)));
  placed.set(layout.pages, tasks);
  return tasks;
}

/** The tasks of a document, where those of one that differs in boxes only are known. */
function placeChanged(layout: Layout, before: readonly Page[]): readonly Task[] | undefined {
  const known = placed.get(before);
  const changed = layout.pages.findIndex((page, number) => page !== before[number]);
  // A page keeps its function as long as it keeps its ids.
  if (known === undefined || (layout.pages[changed] as Page).ids !== (before[changed] as Page).ids) return undefined;
  const start = startOfPage(layout, changed);
  const tasks = known.slice();
  placePage(layout, changed, start).forEach((task, at) => {
    tasks[start.index + at] = task;
  });
  carryOutline(known, tasks, start.index);
  return tasks;
}

function placeTasks(page: Page, start: PageStart, names: readonly TaskId[], phaseLevel: number | null): Task[] {
  const all: Task[] = [];
  let { offset, line, phase } = start;
  let unnamed = 0;
  for (const chunk of page.chunks) {
    if (chunk.tasks.length > 0) {
      const own = chunk.unnamed === 0 ? allWritten : names.slice(unnamed, unnamed + chunk.unnamed);
      unnamed += chunk.unnamed;
      for (const task of placeChunk(chunk, { offset, line, phase, phaseLevel, names: own })) all.push(task);
    }
    offset += chunk.text.length;
    line += chunk.lines;
    phase = phaseBehind(chunk.headings, phaseLevel, phase);
  }
  return all;
}
