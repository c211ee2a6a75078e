import { applyEdit, type Edit, type PlanDocument } from "../document/plan-document.ts";
import { countEndings, dominantEnding, type LineEnding } from "../text/line-ending.ts";
import type { InsertPlace } from "./insert-place.ts";
import { type IntendedTask, proveInsert } from "./prove-insert.ts";
import type { RenderedTask } from "./render-task.ts";

/** An edit and what it makes of the document it was made for. */
export interface ProvenEdit extends Edit {
  readonly after: PlanDocument;
}

/**
 * The insertion of tasks at a place; null when the result, read again, is not exactly that, even with a blank line
 * around each of them.
 */
export function provenInsert(
  document: PlanDocument,
  place: InsertPlace,
  tasks: readonly RenderedTask[],
): ProvenEdit | null {
  const ending = endingOf(document);
  for (const blankLines of new Set([place.blankLines, 1])) {
    const { edit, intended } = layOut(place, tasks, ending, blankLines);
    const after = applyEdit(document, edit);
    if (proveInsert(document, after, edit, place, intended)) return { ...edit, after };
  }
  return null;
}

function layOut(
  { side, offset, needsBlankBehind }: InsertPlace,
  tasks: readonly RenderedTask[],
  ending: LineEnding,
  blankLines: number,
): { edit: Edit; intended: IntendedTask[] } {
  const gap = ending.repeat(1 + blankLines);
  const intended: IntendedTask[] = [];
  let text = "";
  for (const task of tasks) {
    const block = task.lines.join(ending);
    if (side === "behind") text += gap;
    const start = offset + text.length + block.search(/[^ \t]/);
    text += block;
    intended.push({ ...task, start, end: offset + text.length });
    if (side === "before") text += gap;
  }
  return { edit: { start: offset, end: offset, text: needsBlankBehind ? `${text}${ending}` : text }, intended };
}

/** The line ending that most lines of a document have. */
export const endingOf = ({ text }: Pick<PlanDocument, "text">): LineEnding => dominantEnding(countEndings(text));
