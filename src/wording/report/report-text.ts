import { codeSpan, encodeText } from "../../markdown/text/encode-text.ts";
import { splitLines } from "../../markdown/text/line-ending.ts";
import { fenceLines, plainLine, plainLines, withoutMachineWords } from "../../markdown/text/plain-line.ts";
import { InputError } from "../../model/errors.ts";

/** Code points of a line. */
const longest = 700;

/**
 * Untrusted text as the content of a paragraph or an item of its own, that reads as that text.
 *
 * @param label
 *   Words of our own before it, which may be bold; none when not given.
 */
export function encodeLine(text: string, label?: string): string {
  const line = plainLine(text, longest);
  return label === undefined ? encodeText(line, "") : `${label} ${encodeText(line, "x ")}`.trimEnd();
}

/** A command as code. */
export function encodeCode(command: string): string {
  const code = withoutMachineWords(plainLine(command, longest));
  return code === "" ? "(empty)" : codeSpan(code);
}

/** Untrusted text as code in a cell of a table, where code between backticks would end at a bar. */
export function encodeCell(text: string): string {
  const code = encodeCode(text);
  if (!code.includes("|")) return code;
  const line = withoutMachineWords(plainLine(text, longest));
  return `<code>${line.replace(/[!-/:-@[-`{-~]/g, (mark) => `&#${mark.charCodeAt(0)};`)}</code>`;
}

/**
 * Lines of markdown as a list, in one block.
 *
 * @param mark Before each line; `1.` counts.
 * @param none The sentence that stands for a list without lines.
 */
export function listBlock(lines: readonly string[], mark: "-" | "1.", none: string): string {
  if (lines.length === 0) return none;
  return lines.map((line, index) => `${mark === "-" ? mark : `${index + 1}.`} ${line}`).join("\n");
}

/** Characters that are kept of a log, and that are looked at for them. */
const longestLog = 8000;
const mostRead = 4 * longestLog;
const cutMark = "…\n";

/**
 * The end of a log in lines, between fences that nothing in it can close; none when it says nothing.
 *
 * @param log Untrusted, of any length.
 */
export const fenceLog = (log: string): string[] => {
  const lines = plainLines(log.slice(-mostRead));
  return lines.length === 0 ? [] : fenceLines(splitLines(lastPart(lines.join("\n"))));
};

/** The end of a text, from the beginning of a line where there is one, else from a whole character. */
function lastPart(text: string): string {
  if (text.length <= longestLog) return text;
  const end = text.slice(cutMark.length - longestLog).replace(/^[\uDC00-\uDFFF]/, "");
  return `${cutMark}${end.slice(end.indexOf("\n") + 1)}`;
}

/** The refusal to write a report to a path. @param path As it was asked for. */
export const reportOutside = (path: string): InputError =>
  new InputError(
    `Cannot write the stuck report to \`${path}\`, expected a file inside the workspace, and in no .git or .fixpoint`,
    {
      code: "report-outside",
      hint: "Name a path of the workspace, as in `reports/stuck-report.md`.",
    },
  );

/** Whether a path lies in what is git's own or fixpoint's own, at any depth. Some file systems tell no cases apart. */
export const isGuarded = (way: string): boolean =>
  way.split(/[\\/]/).some((name) => [".git", ".fixpoint"].includes(name.toLowerCase()));
