import { codeSpan, encodeText } from "../../markdown/text/encode-text.ts";
import { splitLines } from "../../markdown/text/line-ending.ts";
import { fenceLines, plainLine, plainLines, withoutMachineWords } from "../../markdown/text/plain-line.ts";
import { InputError } from "../../model/errors.ts";

const longest = 700;

/**
 * Encode untrusted text as the content of a paragraph or a list item, without any markup.
 *
 * @param label Trusted words before the text, which may be bold; default: none.
 */
export function encodeLine(text: string, label?: string): string {
  const line = plainLine(text, longest);
  return label === undefined ? encodeText(line, "") : `${label} ${encodeText(line, "x ")}`.trimEnd();
}

export function encodeCode(command: string): string {
  const code = withoutMachineWords(plainLine(command, longest));
  return code === "" ? "(empty)" : codeSpan(code);
}

/** Render untrusted text as code in a table cell. A `|` would end a cell even between backticks. */
export function encodeCell(text: string): string {
  const code = encodeCode(text);
  if (!code.includes("|")) return code;
  const line = withoutMachineWords(plainLine(text, longest));
  return `<code>${line.replace(/[!-/:-@[-`{-~]/g, (mark) => `&#${mark.charCodeAt(0)};`)}</code>`;
}

/**
 * Join lines of markdown as a list, in one block.
 *
 * @param mark Mark before each line; `1.` numbers the lines.
 * @param none Sentence for an empty list.
 */
export function listBlock(lines: readonly string[], mark: "-" | "1.", none: string): string {
  if (lines.length === 0) return none;
  return lines.map((line, index) => `${mark === "-" ? mark : `${index + 1}.`} ${line}`).join("\n");
}

const longestLog = 8000;
/** Number of characters read from the end of a log; more than `longestLog`, since cleaning may shorten the text. */
const mostRead = 4 * longestLog;
const cutMark = "…\n";

/**
 * Return the end of a log as lines in a fence that none of them can close; empty for an empty log.
 *
 * @param log Untrusted, of any length.
 */
export const fenceLog = (log: string): string[] => {
  const lines = plainLines(log.slice(-mostRead));
  return lines.length === 0 ? [] : fenceLines(splitLines(lastPart(lines.join("\n"))));
};

function lastPart(text: string): string {
  if (text.length <= longestLog) return text;
  const end = text.slice(cutMark.length - longestLog).replace(/^[\uDC00-\uDFFF]/, "");
  return `${cutMark}${end.slice(end.indexOf("\n") + 1)}`;
}

export const reportOutside = (path: string): InputError =>
  new InputError(
    `Cannot write the stuck report to \`${path}\`, expected a file inside the workspace, outside of .git and .fixpoint`,
    {
      code: "report-outside",
      hint: "Name a path of the workspace, as in `reports/stuck-report.md`.",
    },
  );

/** Whether a path is inside a folder of git or of fixpoint, at any depth. Some file systems ignore case. */
export const isGuarded = (way: string): boolean =>
  way.split(/[\\/]/).some((name) => [".git", ".fixpoint"].includes(name.toLowerCase()));
