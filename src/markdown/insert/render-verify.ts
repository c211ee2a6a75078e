import { toMarkdown } from "mdast-util-to-markdown";
import { readVerify } from "../tasks/read-verify.ts";
import { encodeText } from "../text/encode-text.ts";
import { splitLines, trimBlank } from "../text/line-ending.ts";
import { machineWordOffsets } from "../text/machine-words.ts";
import { plainLine } from "../text/plain-line.ts";
import { codeSpan } from "./code-span.ts";

const longestLine = 500;
const mostLines = 100;
const marker = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+/;

/**
 * A Verify in lines that runs the same command as before, to the character, or none: what cannot be written as it was
 * becomes text that runs nothing.
 *
 * @param value
 *   Source of the field, not empty.
 * @param bullet
 *   Of the list that text becomes.
 */
export function renderVerify(value: string, bullet: string): string[] {
  const verify = readVerify(value);
  if (verify.kind === "command" && verify.word === null) return renderCode(verify.command);
  const lines = splitLines(value);
  const isPlain = lines.length === 1 && plainLine(value, value.length) === value;
  if (isPlain && (verify.kind === "command" || machineWordOffsets(value).length === 0)) return [value];
  // One line alone might be a command, and another one than was meant.
  if (lines.length > 1 || verify.kind === "command") return ["", ...lines.slice(0, mostLines).map(item)];
  return [encodeText(plainLine(value, longestLine), "x ")];

  function item(line: string): string {
    return `${bullet} ${encodeText(plainLine(line.replace(marker, ""), longestLine), "")}`;
  }
}

const renderCode = (command: string): string[] =>
  splitLines(command).length > 1 ? ["", ...renderFence(command)] : [codeSpan(command)];

const renderFence = (value: string): string[] =>
  splitLines(trimBlank(toMarkdown({ type: "code", lang: "bash", value })));
