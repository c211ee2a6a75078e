import { InputError } from "../model/errors.ts";
import type { FixTask } from "../model/failure.ts";
import { isFixOf } from "../model/task.ts";
import { findTask, tasksOf } from "./document/find-task.ts";
import { openPlan, type PlanDocument } from "./document/plan-document.ts";
import { placeBehind } from "./insert/insert-place.ts";
import { type ProvenEdit, provenInsert } from "./insert/prove-insert.ts";
import { readSibling, type Sibling, type SiblingStyle } from "./insert/read-sibling.ts";
import { type FieldLines, type RenderedTask, renderField, renderTask, renderVerify } from "./insert/render-task.ts";
import { codeSpan, encodeText } from "./text/encode-text.ts";
import { lineStart, splitLines, trimBlank } from "./text/line-ending.ts";
import { plainLine, withoutMachineWords } from "./text/plain-line.ts";

/** Replacements for texts that are empty or break the insertion. */
const generic = {
  error: "Task execution failed",
  attemptedFix: "No previous fix attempted",
  files: ".",
};
const genericTexts = { summary: "", error: generic.error, attemptedFix: generic.attemptedFix, doneWhen: "" };

const boxItem = /[-*+.)][ \t]+\[[^\]\r\n]{0,3}\]/;

/**
 * Insert a fix task after the task it repairs and the existing fixes of that task; an empty edit if the fix task is
 * already there.
 *
 * The result, `after`, is parsed again: it contains exactly one new task, the fix task, and all other tasks are
 * unchanged. Texts of the failure that would prevent this result are replaced by generic texts.
 *
 * @throws {InputError} `task-not-found`, `ambiguous-task`, `unsafe-insert`
 */
export function fixEdit(document: PlanDocument, fix: FixTask): ProvenEdit {
  if (!isFixOf(fix.id, fix.fixOf))
    throw unsafe(fix, `an id that consists of \`${plainLine(fix.fixOf, 40)}.\` and a number`);
  const existing = tasksOf(document, fix.id)[0]?.task;
  if (existing !== undefined && existing.fixOf === fix.fixOf) {
    return { start: existing.end, end: existing.end, text: "", after: document };
  }
  if (existing !== undefined) throw unsafe(fix, `another id: the task on line ${existing.line} already has this id`);
  const task = findTask(document, fix.fixOf);
  const place = placeBehind(document, task);
  const sibling = readSibling(document, task);
  const labels = task.task.markers.filter((marker) => /^US\d+$/.test(marker));
  // For a fix made at the end of a run, do not copy Verify: the check that failed at the end verifies the fix.
  const own = ownFields(sibling, fix.verify !== null && fix.late !== true);
  for (const texts of [
    { ...fix, ...own.values },
    { ...fix, ...own.values, ...genericTexts },
  ]) {
    for (const copied of [own.lines, {}]) {
      const edit = provenInsert(document, place, [renderFixTask(texts, sibling.style, copied, labels)]);
      if (edit !== null) return edit;
    }
  }
  throw unsafe(fix, "that the rest of the document reads as before");
}

/**
 * Insert a fix task after the task it repairs; every other byte stays.
 *
 * @throws {InputError} `task-not-found`, `ambiguous-task`, `unsafe-insert`
 */
export function insertFixTask(markdown: string, fix: FixTask): string {
  return fixEdit(openPlan(markdown), fix).after.text;
}

function unsafe(fix: FixTask, expected: string): InputError {
  const [id, fixOf] = [plainLine(fix.id, 40), plainLine(fix.fixOf, 40)];
  return new InputError(`Cannot insert fix task \`${id}\` below task \`${fixOf}\`, expected ${expected}`, {
    code: "unsafe-insert",
    hint: `Write the fix task below task \`${fixOf}\` by hand.`,
  });
}

interface OwnFields {
  readonly values: { files?: string; verify?: string };
  readonly lines: { files?: FieldLines; verify?: FieldLines };
}

/**
 * Read `Files` and, if `hasVerify`, `Verify` of the repaired task: the values and, if the lines can be copied, the
 * lines.
 */
function ownFields({ text, style, fields }: Sibling, hasVerify: boolean): OwnFields {
  const margin = `${style.prefix}${" ".repeat(style.indent)}`;
  const own: OwnFields = { values: {}, lines: {} };
  for (const { key, value, start, end, isItem } of fields) {
    if ((key !== "files" && key !== "verify") || value === "" || (key === "verify" && !hasVerify)) continue;
    own.values[key] = value;
    const from = lineStart(text, start);
    const source = text.slice(from, end);
    if (isItem && text.slice(from, start) === margin && !boxItem.test(source)) {
      own.lines[key] = { lines: splitLines(source), value };
    }
  }
  return own;
}

const detail = 500;

/**
 * Render a fix task in the style of the task it repairs.
 *
 * @param fix Its texts are untrusted: each becomes one line of plain text.
 * @param copied Lines copied from the repaired task.
 * @param labels Markers of the repaired task that name what it belongs to, such as the story `US1`.
 */
function renderFixTask(
  fix: FixTask,
  style: SiblingStyle,
  copied: { readonly files?: FieldLines; readonly verify?: FieldLines },
  labels: readonly string[] = [],
): RenderedTask {
  const summary = encodeText(plainLine(fix.summary, 50) || `task ${fix.fixOf} failure`, "x Fix: ");
  const error = plainLine(fix.error, detail) || generic.error;
  const cause = encodeText(error, "x the error: ");
  const attemptedFix = plainLine(fix.attemptedFix, detail) || generic.attemptedFix;
  const commit = withoutMachineWords(plainLine(fix.commit, detail)) || `fix: address error from task ${fix.fixOf}`;
  const command = trimBlank(fix.verify ?? "");
  const verify = command === "" ? null : (copied.verify ?? field("Verify", renderVerify(command, style.bullet)));
  const fields = {
    do: field("Do", [
      `Address the error: ${cause}`,
      `1. Analyze the failure: ${encodeText(attemptedFix, "x Analyze the failure: ")}`,
      "2. Review related code in Files list",
      `3. Implement fix for: ${cause}`,
    ]),
    files: copied.files ?? field("Files", [encodeText(plainLine(flat(fix.files), 4 * detail) || generic.files, "x ")]),
    doneWhen: field("Done when", [encodeText(plainLine(fix.doneWhen, detail + 40) || genericDone(error), "x ")]),
    ...(verify !== null && { verify }),
    commit: field("Commit", [codeSpan(commit)]),
  };
  return renderTask({ id: fix.id, markers: [...labels, `FIX ${fix.fixOf}`], title: `Fix: ${summary}`, fields }, style);

  function field(label: string, lines: readonly string[]): FieldLines {
    return renderField(style, label, lines);
  }
}

const genericDone = (error: string): string => `Error "${error}" no longer occurs`;

const flat = (text: string): string =>
  splitLines(text)
    .map((line) => trimBlank(line).replace(/^[-*+][ \t]+/, ""))
    .filter((line) => line !== "")
    .join("; ");
