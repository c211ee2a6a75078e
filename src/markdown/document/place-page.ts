import type { Task } from "../../model/task.ts";
import type { TaskId } from "../../model/task-id.ts";
import { type Layout, type PageStart, startsOfPages } from "./layout.ts";
import type { Page } from "./page.ts";
import { phaseBehind } from "./phase-behind.ts";
import { allWritten, isPlaced, placeChunk } from "./place-chunk.ts";

/** The tasks of a page, with their place in the document. */
function placePage(layout: Layout, number: number, start: PageStart): readonly Task[] {
  const page = layout.pages[number] as Page;
  const { phaseLevel } = layout;
  const names = page.unnamed === 0 ? allWritten : layout.names.slice(start.unnamed, start.unnamed + page.unnamed);
  const place = { offset: start.offset, line: start.line, phase: start.phase, phaseLevel, names };
  if (isPlaced(page.placed, place)) return page.placed.tasks;
  const tasks = placeTasks(page, start, names, phaseLevel);
  page.placed = { ...place, tasks };
  return tasks;
}

/** The tasks of a document in order, with their place in it. */
export function placeAll(layout: Layout): Task[] {
  const starts = startsOfPages(layout);
  const none: Task[] = [];
  return none.concat(...starts.map((start, number) => placePage(layout, number, start)));
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
