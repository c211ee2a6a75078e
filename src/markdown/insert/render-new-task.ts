import type { NewTask, Quote } from "../../model/plan-change.ts";
import type { TaskFields } from "../../model/task.ts";
import { encodeText } from "../text/encode-text.ts";
import { fenceLines, plainLines } from "../text/fence-lines.ts";
import { splitLines, trimBlank } from "../text/line-ending.ts";
import { withoutMachineWords } from "../text/machine-words.ts";
import { plainLine } from "../text/plain-line.ts";
import { codeSpan } from "./code-span.ts";
import type { SiblingStyle } from "./read-sibling.ts";
import { type FieldLines, type RenderedTask, renderField, renderTask } from "./render-task.ts";
import { renderVerify } from "./render-verify.ts";

const longestTitle = 200;
const longestLine = 500;
const mostLines = 100;

const fieldsInOrder = [
  ["do", "Do", renderText],
  ["files", "Files", renderText],
  ["doneWhen", "Done when", renderText],
  ["verify", "Verify", (value: string, { bullet }: SiblingStyle) => renderVerify(value, bullet)],
  ["commit", "Commit", renderCommit],
] as const;

/**
 * Write a proposed task in the style of the task it is to stand beside. Fields without text are left out.
 *
 * @param task
 *   Its texts are untrusted: they become plain text, in numbered or bulleted steps where they come so, and code.
 */
export function renderNewTask({ id, markers, title, fields, quotes = [] }: NewTask, style: SiblingStyle): RenderedTask {
  const written: { -readonly [Key in keyof TaskFields]: FieldLines } = {};
  for (const [key, label, render] of fieldsInOrder) {
    const value = trimBlank(fields[key] ?? "");
    const text = value === "" ? [] : render(value, style);
    const lines = key === "do" && text.length > 0 ? [...text, ...quotes.flatMap(renderQuote)] : text;
    if (lines.some((line) => line !== "")) written[key] = renderField(style, label, lines);
  }
  return renderTask({ id, markers, title: renderTitle(title), fields: written }, style);
}

function renderTitle(title: string): string {
  const text = encodeText(plainLine(title, longestTitle), "x ");
  // A bracket would be read as a marker.
  return text.startsWith("[") ? `\\${text}` : text;
}

const step = /^[ \t]*(?:(\d{1,9}[.)])|[-*+])(?:[ \t]+(.*)|$)/;

/** The text before the first step, then the steps; lines that are neither go on with what stands above them. */
function renderText(value: string, { bullet }: SiblingStyle): string[] {
  let first = "";
  const steps: { text: string; readonly isNumbered: boolean }[] = [];
  for (const line of splitLines(value).slice(0, mostLines)) {
    const found = step.exec(line);
    const last = steps.at(-1);
    if (found !== null) steps.push({ text: found[2] ?? "", isNumbered: found[1] !== undefined });
    else if (last !== undefined) last.text += ` ${line}`;
    else first += ` ${line}`;
  }
  let number = 0;
  const rest = steps.flatMap(({ text, isNumbered }) => {
    const line = encodeText(plainLine(text, longestLine), "");
    if (line === "") return [];
    if (isNumbered) number += 1;
    return `${isNumbered ? `${number}.` : bullet} ${line}`;
  });
  return [encodeText(plainLine(first, longestLine), "x "), ...rest];
}

/** A sentence and a fence, each in a block of its own; none where there is nothing to quote. */
function renderQuote({ label, text }: Quote): string[] {
  const lines = plainLines(text);
  return lines.length === 0 ? [] : ["", encodeText(plainLine(label, longestLine), ""), "", ...fenceLines(lines)];
}

const codeOnly = /^(`+)([^`]+)\1$/;

function renderCommit(value: string): string[] {
  const line = plainLine(splitLines(value).join(" "), longestLine);
  const message = codeOnly.exec(line)?.[2] ?? line;
  return [message.includes("`") ? encodeText(line, "x ") : codeSpan(withoutMachineWords(trimBlank(message)))];
}
