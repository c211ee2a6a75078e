import type { TaskId } from "../../model/task.ts";
import { createNaming } from "../tasks/generated-id.ts";
import type { Page } from "./page.ts";

/** Ids for the tasks of a document that have none written, in order. */
export function nameTasks(pages: readonly Page[]): TaskId[] {
  if (pages.every(({ unnamed }) => unnamed === 0)) return [];
  const name = createNaming(new Set(pages.flatMap((page) => [...page.ids().keys()])));
  const tasks = pages.flatMap(({ chunks }) => chunks.flatMap((chunk) => chunk.tasks));
  return tasks.flatMap(({ id, title }) => (id === null ? name(title) : []));
}
