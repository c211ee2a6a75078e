import type { TaskFields } from "../../model/task.ts";
import { readHeading } from "../tasks/read-blocks.ts";
import { readLabel } from "../tasks/read-fields.ts";
import { asideOf, readTitle } from "../tasks/read-title.ts";
import { contentEnd, lineEnd, trimBlank } from "../text/line-ending.ts";
import { type Chunk, chunkOf, quietChunk, readChunk } from "./chunk.ts";
import { beginsChunk, standsAt, treeEnd, usualLength } from "./tree-end.ts";

const opening = /^---[ \t]*(?:\r\n|\n|\r)/;
const closing = /(?:\r\n|\n|\r)---[ \t]*(?:\r\n|\n|\r|$)/g;
const boxLine = /(?:^|[\r\n])[ \t]*[-*+][ \t]*\[[^\]\r\n]{0,3}\]/;
const headingParagraph = /(?:^|[\r\n])#{1,6} [^\r\n]*(?:\r\n|\n|\r){2}/;

/**
 * Length of the part before the markdown: a byte order mark, and front matter between two lines `---`.
 *
 * A first line `---` may also be a thematic break. So text that contains a box, or a heading followed by a blank line,
 * does not count as front matter.
 */
export function preambleLength(text: string): number {
  const start = bomLength(text);
  const markdown = text.slice(start);
  if (!opening.test(markdown)) return start;
  closing.lastIndex = 3;
  const end = closing.exec(markdown);
  if (end === null) return start;
  const content = markdown.slice(0, end.index);
  return boxLine.test(content) || headingParagraph.test(content) ? start : start + end.index + end[0].length;
}

/** Whether a text may have a preamble, now or after a later edit. */
export const mayHavePreamble = (text: string): boolean => text.startsWith("\uFEFF") || text.startsWith("---");

function bomLength(text: string): number {
  let length = 0;
  while (text.charCodeAt(length) === 0xfeff) length += 1;
  return length;
}

const item = /- \[[ xX]\] [^ \t\r\n]/y;
const titleAt = 6;
/** The start of a plain paragraph: no list, quote, heading, underline, rule, fence, tag or bracket. */
const safe = String.raw`(?:\*{1,2}[^\s*]|\x60{1,2}[^\x60\s]|(?![-+*>#=<~\x60[]|_{3}|\d{1,9}[.)](?:\s|$))\S)`;
const bullet = new RegExp(` {2}- ${safe}`, "y");
const contentAt = 4;
const step = new RegExp(` {4,}(?:- |\\d{1,3}[.)] )?${safe}`, "y");
const longestLabel = 40;
const none: readonly never[] = [];

/**
 * Read the chunk at an offset without a full parser; null unless the chunk is a single task with plain bullets, as in
 * most plans.
 */
export function readPlainChunk(text: string, from: number): Chunk | null {
  if (!standsAt(item, text, from)) return null;
  let at = text.indexOf("\n", from) + 1;
  const titleEnd = at - 1;
  let end = lineContentEnd(text, titleEnd);
  let lines = 1;
  const fields: { -readonly [Key in keyof TaskFields]: string } = {};
  while (at > 0 && standsAt(bullet, text, at)) {
    const start = at + contentAt;
    do {
      at = text.indexOf("\n", at) + 1;
      end = lineContentEnd(text, at - 1);
      lines += 1;
    } while (at > 0 && standsAt(step, text, at));
    const label = readLabel(text.slice(start, start + longestLabel));
    if (label?.key == null || fields[label.key] !== undefined) continue;
    fields[label.key] = trimBlank(text.slice(start + label.length, end));
  }
  // The last line may be incomplete, since the text may be part of a longer text.
  if (at === 0) return null;
  for (let next = behindBlank(text, at); next > at; next = behindBlank(text, at)) {
    at = next;
    lines += 1;
  }
  if (at < text.length && !beginsChunk(text, at)) return null;
  const own = text.slice(from, at);
  if (loneReturn.test(own)) return null;
  const read = readTitle(trimBlank(text.slice(from + titleAt, titleEnd)));
  const { id, markers, title } = read;
  const aside = asideOf("", read, own);
  const done = text[from + 3] !== " ";
  const task = {
    ...(aside !== null && { aside }),
    id,
    markers,
    title,
    done,
    start: 0,
    end: end - from,
    box: 3,
    line: 0,
    depth: 0,
    fields,
  };
  return chunkOf(own, { tasks: [task], headings: none, oddities: none, open: null }, lines);
}

/** Read a chunk of headings and text; null if it contains a task, or anything that may be meant as a task. */
export function readTextChunk(text: string, from: number): Chunk | null {
  let at = from;
  let lines = 0;
  let isApart = false;
  do {
    if (!standsAt(prose, text, at)) return null;
    const next = text.indexOf("\n", at) + 1;
    if (next > 0) lines += 1;
    isApart = behindBlank(text, at) > at;
    at = next > 0 ? next : text.length;
  } while (
    at < text.length &&
    !beginsChunk(text, at) &&
    !(isApart && at - from > usualLength && /\S/.test(text.charAt(at)))
  );
  const own = text.slice(from, at);
  if (loneReturn.test(own) || underlined.test(own)) return null;
  const level = own.search(/[^#]|$/);
  const isHeading = beginsChunk(own, 0);
  const headings = isHeading
    ? [readHeading(own, { start: 0, end: contentEnd(own, 0, lineEnd(own, 0)), level }, 0)]
    : none;
  return chunkOf(own, { tasks: none, headings, oddities: none, open: null }, lines);
}

/** A line that does not begin with a box, and has no fence, no HTML and no indented heading. */
const prose =
  /(?! {1,3}#)(?![ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(?:<|\[|`{3}|~{3}))(?![ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]*\[)/y;
/** A heading with an underline, or a line that may be such a heading. */
const underlined = /[^ \t\r\n][ \t]*\r?\n[ \t>]*(?:=+|-+)[ \t]*(?:[\r\n]|$)/;
const loneReturn = /\r(?!\n)/;

const lineContentEnd = (text: string, end: number): number => (text[end - 1] === "\r" ? end - 1 : end);

/** The offset after the blank line at `at`; `at` itself if there is none. */
const behindBlank = (text: string, at: number): number =>
  text[at] === "\n" ? at + 1 : text.startsWith("\r\n", at) ? at + 2 : at;

export function cutDocument(text: string): Chunk[] {
  const length = preambleLength(text);
  const preamble = length === 0 ? [] : [quietChunk(text.slice(0, length))];
  return [...preamble, ...cutChunks(text, length)];
}

export function cutChunks(text: string, from: number): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = from; at < text.length; ) {
    const chunk = readPlain(text, at) ?? readChunk(text.slice(at, treeEnd(text, at)));
    chunks.push(chunk);
    at += chunk.text.length;
  }
  return chunks;
}

const readPlain = (text: string, from: number): Chunk | null =>
  text[from] === "-" ? readPlainChunk(text, from) : readTextChunk(text, from);

export const chunkEnd = (text: string, from: number): number => {
  const plain = readPlain(text, from);
  return plain === null ? treeEnd(text, from) : from + plain.text.length;
};
