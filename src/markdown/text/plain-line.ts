import { escapeSequence } from "../../model/text.ts";
import { splitLines } from "./line-ending.ts";

// Joiners and emoji selectors are not listed, since words and emoji need them.
const invisible =
  /\u034F|[\u180B-\u180F]|[\uFE00-\uFE0D]|[\u{E0000}-\u{E0FFF}]|[\u00AD\u061C\u115F\u1160\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF0-\uFFFB\u{1D173}-\u{1D17A}]/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: finds control characters
const separators = /[\t\n\v\f\r\u001C-\u001F\u0085\u2028\u2029]+/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: finds control characters
const controls = /[\u0000-\u001B\u007F-\u009F]/g;

/**
 * Reduce untrusted text to one line that no terminal, line-based tool or reader misinterprets: without escape
 * sequences, controls, line separators, bidirectional or invisible marks, and lone surrogates.
 *
 * @param max Maximum length in code points.
 */
export function plainLine(text: string, max: number): string {
  const line = text
    .slice(0, max * 32)
    .replace(escapeSequence, "")
    .replace(/\p{Cs}/gu, "\uFFFD")
    .replace(invisible, "")
    .replace(separators, " ")
    .replace(controls, "")
    .replace(/ {2,}/g, " ")
    .trim();
  const characters = [...line];
  return characters.length > max ? characters.slice(0, max).join("").trimEnd() : line;
}

const signals =
  /ALL_TASKS_COMPLETE|TASK_COMPLETE|TASK_MODIFICATION_REQUEST|VERIFICATION_(?:PASS|FAIL)|REVIEW_(?:PASS|FAIL)/g;
const brackets = /\[(?:(?:[ xX~-]|P|VERIFY|RED|GREEN|YELLOW)\]|FIX(?=[ \]])[^[\]\n]*\]?)/g;
const comment = /<!--/g;

/**
 * Find characters to escape so that a line-based tool sees no signal, box, marker or start of a comment in the text.
 */
export function machineWordOffsets(text: string): number[] {
  const offsets = new Set<number>();
  for (const { 0: word, index } of text.matchAll(signals)) {
    for (let at = 0; at < word.length; at += 1) if (word[at] === "_") offsets.add(index + at);
  }
  for (const { 0: word, index } of text.matchAll(brackets)) {
    offsets.add(index);
    if (word.endsWith("]")) offsets.add(index + word.length - 1);
  }
  for (const { index } of text.matchAll(comment)) offsets.add(index + 1);
  return [...offsets];
}

/** Replace words of line-based tools in a code span, where nothing can be escaped. */
export const withoutMachineWords = (text: string): string =>
  text
    .replace(signals, (word) => word.replaceAll("_", " "))
    .replace(brackets, (word) => (word.endsWith("]") ? `(${word.slice(1, -1)})` : `(${word.slice(1)}`))
    .replace(comment, "<! --");

/** Maximum length of a line, in code points. */
const longestLine = 8000;
/** Maximum indentation of a line, in characters. */
const deepest = 40;

/** Convert untrusted text to lines of plain text that keep their indentation. Blank text has no lines. */
export function plainLines(text: string): string[] {
  const lines = splitLines(text).map(plainIndented);
  const first = lines.findIndex((line) => line !== "");
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex((line) => line !== "") + 1);
}

function plainIndented(line: string): string {
  const start = line.search(/[^ \t]|$/);
  const text = withoutMachineWords(plainLine(line.slice(start), longestLine));
  return text === "" ? "" : line.slice(0, Math.min(start, deepest)).replaceAll("\t", "  ") + text;
}

/** Put plain lines into a fence that is longer than any fence in them. */
export function fenceLines(lines: readonly string[]): string[] {
  const runs = lines.flatMap((line) => Array.from(line.matchAll(/`{3,}/g), ([run]) => run.length));
  const fence = "`".repeat(Math.max(2, ...runs) + 1);
  return [`${fence}text`, ...lines, fence];
}
