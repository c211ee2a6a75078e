import type { TaskId } from "../../model/task.ts";
import { createNaming } from "../tasks/generated-id.ts";
import type { Chunk } from "./chunk.ts";

/** Ids for the tasks of a document that have none written, in order. */
export function nameTasks(chunks: readonly Chunk[]): TaskId[] {
  const tasks = chunks.flatMap((chunk) => chunk.tasks);
  if (tasks.every(({ id }) => id !== null)) return [];
  const name = createNaming(new Set(tasks.flatMap(({ id }) => id ?? [])));
  return tasks.flatMap(({ id, title }) => (id === null ? name(title) : []));
}
