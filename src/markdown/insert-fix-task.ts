import { InputError } from "../model/errors.ts";
import type { FixTask } from "../model/fix-task.ts";
import type { TaskFields } from "../model/task.ts";
import { chunkAt } from "./chunk-at.ts";
import { findTask } from "./find-task.ts";
import { type InsertPlace, insertPlace } from "./insert-place.ts";
import { dominantEnding, type LineEnding, lineStart, splitLines } from "./line-ending.ts";
import { applyEdit, type Edit, openPlan, type PlanDocument } from "./plan-document.ts";
import { proveInsert } from "./prove-insert.ts";
import { type BlockTask, readBlocks } from "./read-blocks.ts";
import { findFields } from "./read-fields.ts";
import { type FieldLines, generic, type RenderedFix, renderFixTask } from "./render-fix-task.ts";
import { styleOf, type TaskStyle } from "./task-style.ts";

const boxItem = /[-*+.)][ \t]+\[[^\]\r\n]{0,3}\]/;

/**
 * The insertion of a fix task behind the task it repairs and the fix tasks that one already has; empty when the fix
 * task stands in the plan already.
 *
 * The result is read again before it is given: it has exactly this task more, and all others are as they were. Where
 * the texts of the failure stand in the way of that, generic ones take their place.
 *
 * @throws {InputError} `task-not-found`, `ambiguous-task`, `unsafe-insert`
 */
export function fixEdit(document: PlanDocument, fix: FixTask): Edit {
  const existing = document.plan.tasks.find(({ id }) => id === fix.id);
  if (existing !== undefined && existing.fixOf === fix.fixOf) {
    return { start: existing.end, end: existing.end, text: "" };
  }
  if (existing !== undefined) throw unsafe(fix, `an id that the task on line ${existing.line} does not have`);
  const task = findTask(document.plan, fix.fixOf);
  const index = document.plan.tasks.indexOf(task);
  const { text, found } = locate(document, task.start);
  const style = styleOf(text, found);
  const place = insertPlace(document, index);
  const own = ownFields(text, found, style);
  const ending = endingOf(document);
  for (const texts of [
    { ...fix, ...own.values },
    { ...fix, ...own.values, ...genericTexts },
  ]) {
    for (const copied of [own.lines, {}]) {
      const rendered = renderFixTask(texts, style, copied);
      const edit = provenEdit(document, place, fix, rendered, ending);
      if (edit !== null) return edit;
    }
  }
  throw unsafe(fix, "a document that reads the same around it");
}

/**
 * Insert a fix task behind the task it repairs; every other byte stays.
 *
 * @throws {InputError} `task-not-found`, `ambiguous-task`, `unsafe-insert`
 */
export function insertFixTask(markdown: string, fix: FixTask): string {
  const document = openPlan(markdown);
  return applyEdit(document, fixEdit(document, fix)).text;
}

const genericTexts = { summary: "", error: generic.error, attemptedFix: generic.attemptedFix };

function unsafe({ id, fixOf }: FixTask, expected: string): InputError {
  return new InputError(`Cannot insert fix task \`${id}\` below task \`${fixOf}\`, expected ${expected}`, {
    code: "unsafe-insert",
    hint: `Write the fix task below task \`${fixOf}\` by hand.`,
  });
}

function locate(document: PlanDocument, start: number): { text: string; found: BlockTask } {
  const { chunk, offset } = chunkAt(document.chunks, start);
  const found = readBlocks(chunk.text).tasks.find((task) => task.start === start - offset);
  return { text: chunk.text, found: found as BlockTask };
}

/** Files and Verify of the repaired task: as values, and as lines where those can be taken over. */
function ownFields(
  text: string,
  task: BlockTask,
  style: TaskStyle,
): { values: { files?: string; verify?: string }; lines: { files?: FieldLines; verify?: FieldLines } } {
  const margin = `${style.prefix}${" ".repeat(style.indent)}`;
  const values: Pick<{ -readonly [Key in keyof TaskFields]: TaskFields[Key] }, "files" | "verify"> = {};
  const lines: { files?: FieldLines; verify?: FieldLines } = {};
  for (const { key, value, start, end, isItem } of findFields(text, task)) {
    if ((key !== "files" && key !== "verify") || value === "") continue;
    values[key] = value;
    const from = lineStart(text, start);
    const source = text.slice(from, end);
    if (isItem && text.slice(from, start) === margin && !boxItem.test(source)) {
      lines[key] = { lines: splitLines(source), value };
    }
  }
  return { values, lines };
}

function endingOf({ chunks }: PlanDocument): LineEnding {
  const counts: Record<LineEnding, number> = { "\n": 0, "\r\n": 0, "\r": 0 };
  for (const { endings } of chunks) {
    counts["\n"] += endings["\n"];
    counts["\r\n"] += endings["\r\n"];
    counts["\r"] += endings["\r"];
  }
  return dominantEnding(counts);
}

function provenEdit(
  document: PlanDocument,
  place: InsertPlace,
  fix: FixTask,
  rendered: RenderedFix,
  ending: LineEnding,
): Edit | null {
  for (const blankLines of new Set([place.blankLines, 1])) {
    const before = ending.repeat(1 + blankLines);
    const behind = place.needsBlankBehind ? ending : "";
    const text = `${before}${rendered.lines.join(ending)}${behind}`;
    const edit = { start: place.offset, end: place.offset, text };
    if (proveInsert(document, applyEdit(document, edit), edit, place, fix, rendered)) return edit;
  }
  return null;
}
