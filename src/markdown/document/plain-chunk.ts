import type { TaskFields } from "../../model/task.ts";
import type { Tail } from "../blocks/block-reader.ts";
import { readLabel } from "../tasks/field-label.ts";
import { readTitle } from "../tasks/read-title.ts";
import { trimBlank } from "../text/line-ending.ts";
import { beginsChunk } from "./begins-chunk.ts";
import { type Chunk, chunkOf } from "./chunk.ts";

const item = /- \[[ xX]\] [^ \t\r\n]/y;
const titleAt = 6;
/** A bullet in the item that nothing but a paragraph can begin on. */
const bullet = / {2}- (?:\*\*|__?|`)?[A-Za-z]/y;
const contentAt = 4;
/** A line in such a bullet, with no box, fence, quote, tag, underline or definition. */
const step = / {4,}(?:- |\d{1,3}[.)] )?(?:[A-Za-z("']|`(?!`))/y;
const longestLabel = 40;
const tail: Tail = { open: null, itemWidth: 2, inParagraph: false };
const none: readonly never[] = [];

/**
 * The chunk that stands at an offset when its lines say without a reader of blocks what they are: one task with
 * bullets, as most of most plans. Null for all else.
 */
export function readPlainChunk(text: string, from: number): Chunk | null {
  if (!standsAt(item, text, from)) return null;
  let at = text.indexOf("\n", from) + 1;
  const titleEnd = at - 1;
  let end = titleEnd;
  let lines = 1;
  const fields: { -readonly [Key in keyof TaskFields]: string } = {};
  while (at > 0 && standsAt(bullet, text, at)) {
    const start = at + contentAt;
    do {
      at = text.indexOf("\n", at) + 1;
      end = at - 1;
      lines += 1;
    } while (at > 0 && standsAt(step, text, at));
    const label = readLabel(text.slice(start, start + longestLabel));
    if (label?.key == null || fields[label.key] !== undefined) continue;
    fields[label.key] = trimBlank(text.slice(start + label.length, end));
  }
  // Its last line may go on, in a text that is a part of another.
  if (at === 0) return null;
  for (; text[at] === "\n"; at += 1) lines += 1;
  if (at < text.length && !beginsChunk(text, at)) return null;
  const own = text.slice(from, at);
  if (own.includes("\r")) return null;
  const { id, markers, title } = readTitle(trimBlank(text.slice(from + titleAt, titleEnd)));
  const done = text[from + 3] !== " ";
  const task = { id, markers, title, done, start: 0, end: end - from, box: 3, line: 0, depth: 0 };
  const reading = { tasks: [task], headings: none, oddities: none, tail };
  return chunkOf(own, reading, [fields], { "\n": lines, "\r\n": 0, "\r": 0 });
}

function standsAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}
