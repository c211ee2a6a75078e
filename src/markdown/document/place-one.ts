import type { Task } from "../../model/task.ts";
import type { FoundTask } from "../tasks/read-blocks.ts";
import type { Chunk } from "./chunk.ts";
import { type Layout, startOfPage } from "./layout.ts";
import type { Page } from "./page.ts";
import { placePage } from "./place-page.ts";

/** A task, its index among all, and as it was found in its chunk. */
export interface TaskPlace {
  readonly task: Task;
  readonly index: number;
  readonly found: FoundTask;
}

/** One task of a page, without a look at other pages. @param at Its index on the page. */
export function placeOne(layout: Layout, number: number, at: number): TaskPlace {
  const start = startOfPage(layout, number);
  const task = placePage(layout, number, start)[at] as Task;
  return new PlaceOnPage(task, start.index + at, layout.pages[number] as Page, at);
}

/** Few ask how a task was found. */
class PlaceOnPage implements TaskPlace {
  readonly task: Task;
  readonly index: number;
  readonly page: Page;
  readonly at: number;

  constructor(task: Task, index: number, page: Page, at: number) {
    this.task = task;
    this.index = index;
    this.page = page;
    this.at = at;
  }

  get found(): FoundTask {
    let rest = this.at;
    let number = 0;
    let { tasks } = this.page.chunks[0] as Chunk;
    while (rest >= tasks.length) {
      rest -= tasks.length;
      number += 1;
      ({ tasks } = this.page.chunks[number] as Chunk);
    }
    return tasks[rest] as FoundTask;
  }
}
