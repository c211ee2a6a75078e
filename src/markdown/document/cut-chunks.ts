import type { Tail } from "../blocks/block-reader.ts";
import { parseWithTail } from "../blocks/parse-blocks.ts";
import { isEnding } from "../text/line-ending.ts";
import { beginsChunk } from "./begins-chunk.ts";
import { type Chunk, createChunk, preambleChunk } from "./chunk.ts";
import { readPlainChunk } from "./plain-chunk.ts";
import { preambleLength } from "./preamble.ts";

const shortest = 64;
const task = /( {0,3})(?:[-*+]|(\d{1,9})[.)]) {1,4}\[[ xX]\] +[^ \t\r\n]/y;

/**
 * Whether a text that follows a chunk may start a chunk of its own.
 *
 * @param previous
 *   Undefined at the start of a document and behind its preamble.
 */
export const mayFollow = (previous: Chunk | undefined, text: string): boolean =>
  previous === undefined ||
  (isEnding(previous.text.at(-1)) && startsRootBlock(text, 0) && standsApart(text, 0, previous.tail));

/** Cut a whole document into chunks, at least one. */
export function cutDocument(text: string): Chunk[] {
  if (text === "") return [readChunk("")];
  const length = preambleLength(text);
  return length === 0 ? cutChunks(text) : [preambleChunk(text.slice(0, length)), ...cutChunks(text.slice(length))];
}

/**
 * Cut markdown into chunks at headings and at items of the root that begin with a bracket or a box.
 *
 * Nothing before such a line belongs to what follows, and nothing of it depends on what stands before. So the chunks
 * read one by one as the whole does.
 *
 * @param text
 *   A document, or what may follow a chunk.
 */
export function cutChunks(text: string): Chunk[] {
  const chunks: Chunk[] = [];
  for (let from = 0; from < text.length; ) {
    const chunk = readPlainChunk(text, from) ?? readChunk(text.slice(from));
    chunks.push(chunk);
    from += chunk.text.length;
  }
  return chunks;
}

/** Read the chunk that a text starts with. */
function readChunk(text: string): Chunk {
  const parsed = parseWithTail(
    text,
    (at, tail) => startsRootBlock(text, at) && !isShort(text, at) && standsApart(text, at, tail()),
  );
  return createChunk(text.slice(0, parsed.end), parsed);
}

/** Whether a chunk would be little more than a heading before another one; a document may consist of such. */
const isShort = (text: string, to: number): boolean => to < shortest && text[0] === "#" && text[to] === "#";

/** Whether a line looks like one at which a chunk starts. */
function startsRootBlock(text: string, at: number): boolean {
  task.lastIndex = at;
  return beginsChunk(text, at) || task.test(text);
}

/** Whether such a line starts a block of the root behind what ends in a certain way. */
function standsApart(text: string, at: number, { open, itemWidth, inParagraph }: Tail): boolean {
  if (open !== null) return false;
  if (beginsChunk(text, at)) return true;
  task.lastIndex = at;
  const [, blanks = "", number = "1"] = task.exec(text) as RegExpExecArray;
  return itemWidth > 0 ? blanks.length < itemWidth : number === "1" || !inParagraph;
}
