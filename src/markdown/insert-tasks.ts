import { InputError } from "../model/errors.ts";
import type { NewTask, PlanChange } from "../model/plan-change.ts";
import { findTask, tasksOf } from "./document/find-task.ts";
import { applyEdit, type Edit, openPlan, type PlanDocument } from "./document/plan-document.ts";
import { placeBefore, placeBehind } from "./insert/insert-place.ts";
import { provenInsert } from "./insert/prove-insert.ts";
import { readSibling } from "./insert/read-sibling.ts";
import { type RenderedTask, renderNewTask } from "./insert/render-task.ts";
import { fieldLabels } from "./tasks/read-fields.ts";
import { readVerify } from "./tasks/read-verify.ts";
import { machineWordOffsets, plainLine } from "./text/plain-line.ts";
import { tickEdits } from "./tick-task.ts";

/**
 * Build the edits of a plan change: the tick and the insertion, to be applied in order; none if the plan already
 * contains the change.
 *
 * The result is parsed again. It must contain exactly these additional tasks, with these ids, markers and titles. Each
 * Verify must run the proposed command, and all other tasks must be unchanged.
 *
 * @throws {InputError} `empty-change`, `task-not-found`, `ambiguous-task`, `unsafe-insert`
 */
export function tasksEdits(document: PlanDocument, change: PlanChange): readonly Edit[] {
  if (change.tasks.length === 0) {
    throw new InputError(`Cannot change the plan at task \`${change.task}\`, expected at least one task to insert`, {
      code: "empty-change",
      hint: "Use `tickTask` to tick a task without inserting others.",
    });
  }
  const sibling = findTask(document, change.task);
  const { style } = readSibling(document, sibling);
  const tasks = change.tasks.map((task) => renderChecked(change, task, style));
  const edits = change.tick === true ? tickEdits(document, change.task, true) : [];
  if (stands(document, change, tasks)) return edits;
  // A tick does not move anything, so places found before the tick stay valid.
  const ticked = edits.reduce(applyEdit, document);
  const place = change.place === "before" ? placeBefore(ticked, sibling) : placeBehind(ticked, sibling);
  const insertion = provenInsert(ticked, place, tasks);
  if (insertion === null) throw unsafe(change, "that the rest of the document reads as before");
  return [...edits, insertion];
}

/**
 * Insert tasks before or after a task of a plan, and tick that task if the change says so; every other byte stays.
 * Returns the same text if the tasks are already there.
 *
 * @param change Its texts are untrusted. `verify` is markdown, as in `Task.fields`: inline code or a fence stays code.
 * @throws {InputError} `empty-change`, `task-not-found`, `ambiguous-task`, `unsafe-insert`
 * @see docs/formats.md "What is written"
 */
export const insertTasks = (markdown: string, change: PlanChange): string =>
  applyChange(openPlan(markdown), change).text;

/**
 * Apply a change to a plan; returns the same document if it is already applied.
 *
 * @throws {InputError} `empty-change`, `task-not-found`, `ambiguous-task`, `unsafe-insert`
 */
export const applyChange = (document: PlanDocument, change: PlanChange): PlanDocument =>
  tasksEdits(document, change).reduce(applyEdit, document);

/**
 * Whether all the tasks are in the plan. @throws {InputError} If only some of the tasks are in the plan, or other tasks
 * have the same ids.
 */
function stands(document: PlanDocument, change: PlanChange, tasks: readonly RenderedTask[]): boolean {
  if (tasks.some(({ id }) => id === change.task)) throw unsafe(change, "ids other than that of this task");
  const existing = tasks.map(({ id }) => tasksOf(document, id)[0]?.task);
  if (tasks.every(({ title }, index) => existing[index]?.title === title)) return true;
  const other = existing.find((task) => task !== undefined);
  if (other !== undefined) throw unsafe(change, `other ids: the task on line ${other.line} has one of these`);
  if (new Set(tasks.map(({ id }) => id)).size < tasks.length) throw unsafe(change, "a different id for each");
  return false;
}

const markerForm = /^[A-Za-z][\w .,:|+/~-]{0,40}$/;

function renderChecked(change: PlanChange, task: NewTask, style: Parameters<typeof renderNewTask>[1]): RenderedTask {
  const isMarker = (marker: string): boolean =>
    markerForm.test(marker) && !/^(?:x|FIX .*)$/i.test(marker) && machineWordOffsets(marker).length === 0;
  if (!task.markers.every(isMarker)) throw unsafe(change, "markers of letters and digits, and no `FIX`");
  const rendered = renderNewTask(task, style);
  if (!runsSame(task.fields.verify, rendered.fields.verify))
    throw unsafe(change, "a Verify whose command stays the same when the plan is written");
  return rendered;
}

function runsSame(proposed: string | undefined, written: string | undefined): boolean {
  if (!isVisible(proposed ?? "")) return false;
  if (proposed === written) return true;
  const one = readVerify(proposed);
  const other = readVerify(written);
  if (one.kind === "unrunnable" || other.kind === "unrunnable") return one.kind === other.kind;
  return one.command === other.command && one.word === other.word;
}

function isVisible(verify: string): boolean {
  const line = verify.replace(/[ \t\r\n]+/g, " ").trim();
  return plainLine(line, line.length) === line;
}

function unsafe({ task, place, tasks }: PlanChange, expected: string): InputError {
  const ids = tasks.map(({ id }) => `\`${plainLine(id, 40)}\``).join(", ");
  return new InputError(`Cannot insert ${ids} ${place} task \`${task}\`, expected ${expected}`, {
    code: "unsafe-insert",
    hint: `Write the tasks ${place} task \`${task}\` by hand.`,
  });
}

/**
 * Read one task that an executor proposes: a single open task with an id, a title and all five fields, none of them
 * empty after encoding.
 *
 * @param markdown Untrusted. Text around the task is ignored.
 * @returns The task with its original texts, or the reason why it is refused.
 */
export function readProposedTask(markdown: string): NewTask | { readonly problem: string } {
  const document = openPlan(markdown);
  const { tasks } = document.plan;
  const [task] = tasks;
  if (task === undefined) return { problem: "a proposal contains no task, expected a line `- [ ] <id> <title>`" };
  if (tasks.length > 1) return { problem: `a proposal contains ${tasks.length} tasks, expected one` };
  const { id, markers, title, fields } = task;
  if (document.names.length > 0) return { problem: "a proposed task has no id" };
  if (task.done) return { problem: `task ${id} is ticked` };
  if (markers.some((marker) => /^FIX\b/i.test(marker))) return { problem: `task ${id} has the marker of a fix task` };
  if (plainLine(title, 1) === "") return { problem: `task ${id} has no title` };
  const proposed = { id, markers, title, fields };
  const written = renderNewTask(proposed, readSibling(document, findTask(document, id)).style);
  const missing = Object.entries(fieldLabels).filter(([key]) => !(key in written.fields));
  if (missing.length === 0) return proposed;
  return { problem: `task ${id} has no ${missing.map(([, label]) => label).join(", ")}` };
}
