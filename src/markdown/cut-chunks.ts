import { type Chunk, createChunk } from "./chunk.ts";
import { preambleLength } from "./preamble.ts";

const starts = /(?:^|\n|\r(?!\n))(?=#{1,6}(?:[ \t\r\n]|$)|[-*+][ \t]{1,4}\[)/g;
const start = /^(?:#{1,6}(?:[ \t\r\n]|$)|[-*+][ \t]{1,4}\[)/;
const attempts = 8;

/** Whether a text that follows a line ending may start a chunk. */
export const startsChunk = (text: string): boolean => start.test(text.slice(0, 8));

/** Cut a whole document into chunks, at least one. */
export function cutDocument(text: string): Chunk[] {
  if (text === "") return [createChunk("")];
  const length = preambleLength(text);
  return length === 0 ? cutChunks(text) : [createChunk(text.slice(0, length), true), ...cutChunks(text.slice(length))];
}

/**
 * Cut markdown into chunks at headings and at items that begin with a bracket, both in column 0.
 *
 * Such a line starts a block wherever it stands, but behind a root fence or HTML block that is still open; then the
 * chunk goes on to where that ends. So the chunks read one by one as the whole does.
 *
 * @param text
 *   A document, or what follows a chunk that is not open.
 */
export function cutChunks(text: string): Chunk[] {
  const chunks: Chunk[] = [];
  let from = 0;
  while (from < text.length) {
    let to = nextStart(text, from + 1);
    let chunk = createChunk(text.slice(from, to));
    for (let attempt = 0; chunk.open !== null && to < text.length; attempt += 1) {
      const { close } = chunk.open;
      close.lastIndex = to;
      const closed = attempt < attempts ? close.exec(text) : null;
      to = closed === null ? text.length : nextStart(text, closed.index + closed[0].length + 1);
      chunk = createChunk(text.slice(from, to));
    }
    chunks.push(chunk);
    from = to;
  }
  return chunks;
}

/** The first place at or behind an offset where a chunk may start. */
function nextStart(text: string, from: number): number {
  starts.lastIndex = from - 1;
  for (let found = starts.exec(text); found !== null; found = starts.exec(text)) {
    const at = found.index + found[0].length;
    if (at >= from) return at;
    starts.lastIndex = found.index + 1;
  }
  return text.length;
}
