import type { TaskId } from "../model/task.ts";
import { findTask } from "./document/find-task.ts";
import { applyEdit, type Edit, openPlan, type PlanDocument } from "./document/plan-document.ts";

/**
 * The changes, each of one character, that set or clear the boxes of a task; none when they are so already.
 *
 * @throws {InputError} `task-not-found`, `ambiguous-task`
 */
export function tickEdits(document: PlanDocument, id: TaskId, done: boolean): Edit[] {
  const { box, boxes = [box] } = findTask(document, id).task;
  const text = done ? "x" : " ";
  return boxes.flatMap((start) => (isTick(document.text, start) === done ? [] : [{ start, end: start + 1, text }]));
}

const isTick = (text: string, box: number): boolean => "xX".includes(text.charAt(box));

/**
 * The plan with the boxes of a task set or cleared.
 *
 * @throws {InputError} `task-not-found`, `ambiguous-task`
 */
export const tickedIn = (document: PlanDocument, id: TaskId, done: boolean): PlanDocument =>
  tickEdits(document, id, done).reduce(applyEdit, document);

/**
 * Set or clear the box of a task; every other byte stays.
 *
 * @throws {InputError} `task-not-found`, `ambiguous-task`
 */
export const tickTask = (markdown: string, id: TaskId, done = true): string =>
  tickedIn(openPlan(markdown), id, done).text;
