import { diffPlans } from "../model/diff-plans.ts";
import type { TaskId } from "../model/task.ts";
import { findTask } from "./document/find-task.ts";
import { applyEdit, type Edit, openPlan, type PlanDocument } from "./document/plan-document.ts";
import { endingOf } from "./insert/prove-insert.ts";
import { readSibling } from "./insert/read-sibling.ts";
import { renderField } from "./insert/render-task.ts";

/**
 * Edits of one character each that set or clear the boxes of a task; none if the boxes are already right.
 *
 * @throws {InputError} `task-not-found`, `ambiguous-task`
 */
export function tickEdits(document: PlanDocument, id: TaskId, done: boolean): Edit[] {
  const { box, boxes = [box] } = findTask(document, id).task;
  const text = done ? "x" : " ";
  return boxes.flatMap((start) => (isTick(document.text, start) === done ? [] : [{ start, end: start + 1, text }]));
}

const isTick = (text: string, box: number): boolean => "xX".includes(text.charAt(box));

export const tickedIn = (document: PlanDocument, id: TaskId, done: boolean): PlanDocument =>
  tickEdits(document, id, done).reduce(applyEdit, document);

/**
 * Set or clear the boxes of a task; every other byte stays.
 *
 * @throws {InputError} `task-not-found`, `ambiguous-task`
 */
export const tickTask = (markdown: string, id: TaskId, done = true): string =>
  tickedIn(openPlan(markdown), id, done).text;

/**
 * Edits that close a fix task: a note at the end of its block, and its tick. Apply the edits in order. There are none
 * if the task is already closed. The note is omitted if it would change how the plan is read.
 *
 * @param by The fix task that replaces this fix task, or the repaired task that passed without this fix task. @throws
 * {InputError} `task-not-found`, `ambiguous-task`
 */
export function closeEdits(document: PlanDocument, id: TaskId, by: TaskId): Edit[] {
  const note = noteEdit(document, id, by);
  const noted = note === null ? document : applyEdit(document, note);
  return [...(note === null ? [] : [note]), ...tickEdits(noted, id, true)];
}

/**
 * Close a fix task in a document.
 *
 * @throws {InputError} `task-not-found`, `ambiguous-task`
 */
export const closedIn = (document: PlanDocument, id: TaskId, by: TaskId): PlanDocument =>
  closeEdits(document, id, by).reduce(applyEdit, document);

/**
 * Close a fix task that is no longer needed: tick it, and add a note with the reason to its block.
 *
 * @throws {InputError} `task-not-found`, `ambiguous-task`
 */
export const closeTask = (markdown: string, id: TaskId, by: TaskId): string =>
  closedIn(openPlan(markdown), id, by).text;

function noteEdit(document: PlanDocument, id: TaskId, by: TaskId): Edit | null {
  const place = findTask(document, id);
  const { start, end, fixOf } = place.task;
  const label = fixOf === by ? "Not needed for" : "Superseded by";
  const { style } = readSibling(document, place);
  const line = renderField(style, label, [by]).lines.join("");
  if (document.text.slice(start, end).includes(line.trim())) return null;
  const edit = { start: end, end, text: `${endingOf(document)}${line}` };
  const after = applyEdit(document, edit);
  const isSame = diffPlans(document.plan, after.plan).length === 0;
  const { task } = findTask(after, id);
  return isSame && task.end === end + edit.text.length && after.plan.tasks.length === document.plan.tasks.length
    ? edit
    : null;
}
