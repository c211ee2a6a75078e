import type { Task } from "../../model/task.ts";
import type { FoundTask } from "../tasks/read-blocks.ts";
import type { Chunk } from "./chunk.ts";
import { type Layout, type PageStart, startOfPage } from "./layout.ts";
import type { Page } from "./page.ts";
import { phaseBehind } from "./phase-behind.ts";
import { allWritten, isPlaced, placeChunk } from "./place-chunk.ts";

/** A task, its index among all, and as it was found in its chunk. */
export interface TaskPlace {
  readonly task: Task;
  readonly index: number;
  readonly found: FoundTask;
}

/** Where the tasks of a page stand in a document. */
export function placeOfPage({ names, phaseLevel }: Layout, { unnamed }: Page, start: PageStart) {
  const own = unnamed === 0 ? allWritten : names.slice(start.unnamed, start.unnamed + unnamed);
  return { offset: start.offset, line: start.line, phase: start.phase, phaseLevel, names: own };
}

/** One task of a page, without a look at the others. @param at Its index on the page. */
export function placeOne(layout: Layout, number: number, at: number): TaskPlace {
  const { phaseLevel, names } = layout;
  const page = layout.pages[number] as Page;
  const start = startOfPage(layout, number);
  let { offset, line, phase, index, unnamed } = start;
  const wanted = index + at;
  if (isPlaced(page.placed, placeOfPage(layout, page, start))) {
    return new PlaceOnPage(page.placed.tasks[at] as Task, wanted, page, at);
  }
  let chunk = page.chunks[0] as Chunk;
  for (let next = 1; wanted >= index + chunk.tasks.length; next += 1) {
    offset += chunk.text.length;
    line += chunk.lines;
    phase = phaseBehind(chunk.headings, phaseLevel, phase);
    index += chunk.tasks.length;
    unnamed += chunk.unnamed;
    chunk = page.chunks[next] as Chunk;
  }
  const own = chunk.unnamed === 0 ? allWritten : names.slice(unnamed, unnamed + chunk.unnamed);
  const tasks = placeChunk(chunk, { offset, line, phase, phaseLevel, names: own });
  return {
    task: tasks[wanted - index] as Task,
    index: wanted,
    found: chunk.tasks[wanted - index] as FoundTask,
  };
}

/** Of a page whose tasks are placed. Few ask how a task was found. */
class PlaceOnPage implements TaskPlace {
  readonly task: Task;
  readonly index: number;
  readonly #page: Page;
  readonly #at: number;

  constructor(task: Task, index: number, page: Page, at: number) {
    this.task = task;
    this.index = index;
    this.#page = page;
    this.#at = at;
  }

  get found(): FoundTask {
    let [at, number] = [this.#at, 0];
    let { tasks } = this.#page.chunks[number] as Chunk;
    while (at >= tasks.length) {
      at -= tasks.length;
      number += 1;
      ({ tasks } = this.#page.chunks[number] as Chunk);
    }
    return tasks[at] as FoundTask;
  }
}
