import type { FixTask } from "../../model/failure.ts";
import type { PlanChange } from "../../model/plan-change.ts";
import type { TaskId } from "../../model/task.ts";
import { chunkAt } from "../document/chunk.ts";
import { findTask, tasksOf } from "../document/find-task.ts";
import { applyEdit, type Edit, type PlanDocument } from "../document/plan-document.ts";
import { fixEdit } from "../insert-fix-task.ts";
import { applyChange } from "../insert-tasks.ts";
import { isEnding, lineStart } from "../text/line-ending.ts";
import { closedIn, tickedIn } from "../tick-task.ts";

/**
 * Remove a fix task from a plan; null if the task or the text around it has changed. A blank line after the task stays,
 * since the user may have written it.
 */
export const withoutFixTask = (document: PlanDocument, fix: FixTask): PlanDocument | null =>
  withoutTasks(document, [fix.id], (plan) => fixEdit(plan, fix).after);

/** Remove the tasks of a plan change, and revert its tick; null if the tasks or the text around them have changed. */
export function withoutChange(document: PlanDocument, change: PlanChange): PlanDocument | null {
  const { tick: _tick, ...inserted } = change;
  return withoutTasks(
    document,
    change.tasks.map(({ id }) => id),
    (plan) => applyChange(plan, inserted),
  );
}

/** Remove the note of a closed fix task; an edited note stays. */
export function withoutNote(document: PlanDocument, fix: TaskId, by: TaskId): PlanDocument {
  const { task } = findTask(document, fix);
  const before = document.text.slice(0, task.end).replace(/(?:\r\n|\n|\r)[^\r\n]*$/, "");
  const without = applyEdit(document, { start: before.length, end: task.end, text: "" });
  const isNote =
    tasksOf(without, fix).length === 1 && closedIn(without, fix, by).text === tickedIn(document, fix, true).text;
  return isNote ? without : document;
}

/** @param insert Inserts the tasks again. The removal is correct only if the result is the original text. */
function withoutTasks(
  document: PlanDocument,
  ids: readonly TaskId[],
  insert: (plan: PlanDocument) => PlanDocument,
): PlanDocument | null {
  const open = ids.reduce((plan, id) => tickedIn(plan, id, false), document);
  const tasks = ids.map((id) => findTask(open, id).task);
  const first = Math.min(...tasks.map((task) => task.start));
  // Search within the chunk: the first line of the whole text may begin with a byte order mark.
  const { chunk, offset } = chunkAt(open.chunks, first);
  const start = offset + lineStart(chunk.text, first - offset);
  const end = Math.max(...tasks.map((task) => task.end));
  // The insertion added an unknown number of line endings before or after the tasks, so try each possible number.
  const places: Omit<Edit, "text">[] = [];
  for (let from = start; isEnding(open.text[from - 1]); from -= 1) places.push({ start: from - 1, end });
  for (let to = end; isEnding(open.text[to]); to += 1) places.push({ start, end: to + 1 });
  for (const place of places) {
    const without = applyEdit(open, { ...place, text: "" });
    if (orNull(() => insert(without))?.text === open.text) return without;
  }
  return null;
}

function orNull<Result>(make: () => Result): Result | null {
  try {
    return make();
  } catch {
    return null;
  }
}
