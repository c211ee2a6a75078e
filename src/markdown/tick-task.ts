import type { TaskId } from "../model/task.ts";
import { findTask } from "./document/find-task.ts";
import { applyEdit, type Edit, openPlan, type PlanDocument } from "./document/plan-document.ts";

/**
 * The change of one character that sets or clears a task's box; null when it is so already.
 *
 * @throws {InputError} `task-not-found`, `ambiguous-task`
 */
export function tickEdit(document: PlanDocument, id: TaskId, done: boolean): Edit | null {
  const { task } = findTask(document, id);
  return task.done === done ? null : { start: task.box, end: task.box + 1, text: done ? "x" : " " };
}

/**
 * The plan with the box of a task set or cleared.
 *
 * @throws {InputError} `task-not-found`, `ambiguous-task`
 */
export function tickedIn(document: PlanDocument, id: TaskId, done: boolean): PlanDocument {
  const edit = tickEdit(document, id, done);
  return edit === null ? document : applyEdit(document, edit);
}

/**
 * Set or clear the box of a task; every other byte stays.
 *
 * @throws {InputError} `task-not-found`, `ambiguous-task`
 */
export const tickTask = (markdown: string, id: TaskId, done = true): string =>
  tickedIn(openPlan(markdown), id, done).text;
