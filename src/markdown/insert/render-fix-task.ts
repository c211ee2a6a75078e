import type { FixTask } from "../../model/failure.ts";
import { encodeText } from "../text/encode-text.ts";
import { splitLines, trimBlank } from "../text/line-ending.ts";
import { withoutMachineWords } from "../text/machine-words.ts";
import { plainLine } from "../text/plain-line.ts";
import { codeSpan } from "./code-span.ts";
import type { SiblingStyle } from "./read-sibling.ts";
import { type FieldLines, type RenderedTask, renderField, renderTask } from "./render-task.ts";
import { renderVerify } from "./render-verify.ts";

const detail = 500;

/**
 * Write a fix task in the style of the task it repairs.
 *
 * @param fix
 *   Its texts are untrusted: each becomes one line of plain text.
 * @param copied
 *   Lines of the repaired task that are taken over.
 * @param labels
 *   Markers of it that say what it belongs to, as the story `US1`.
 */
export function renderFixTask(
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

/** Texts that stand in for those that are empty or stand in the way. */
export const generic = {
  error: "Task execution failed",
  attemptedFix: "No previous fix attempted",
  files: ".",
};

const genericDone = (error: string): string => `Error "${error}" no longer occurs`;

const flat = (text: string): string =>
  splitLines(text)
    .map((line) => trimBlank(line).replace(/^[-*+][ \t]+/, ""))
    .filter((line) => line !== "")
    .join("; ");
