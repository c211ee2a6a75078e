import type { Task } from "../../model/task.ts";
import type { FoundTask } from "../tasks/read-blocks.ts";
import type { Chunk } from "./chunk.ts";
import { type Layout, startOfPage } from "./layout.ts";
import type { Page } from "./page.ts";
import { phaseBehind } from "./phase-behind.ts";
import { allWritten, placeChunk } from "./place-chunk.ts";

/** A task, its index among all, and as it was found in its chunk. */
export interface TaskPlace {
  readonly task: Task;
  readonly index: number;
  readonly found: FoundTask;
}

/** One task of a page, without a look at the others. @param at Its index on the page. */
export function placeOne(layout: Layout, number: number, at: number): TaskPlace {
  const { phaseLevel, names } = layout;
  const page = layout.pages[number] as Page;
  let { offset, line, phase, index, unnamed } = startOfPage(layout, number);
  const wanted = index + at;
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
