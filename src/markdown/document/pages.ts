import type { Chunk } from "./chunk.ts";
import { createPage, exchangeChunk, type Page } from "./page.ts";

const usual = 128;
const largest = 2 * usual;

/** Chunks in pages of much the same size. */
export function pagesOf(chunks: readonly Chunk[]): Page[] {
  const count = Math.ceil(chunks.length / usual);
  return Array.from({ length: count }, (_, page) =>
    createPage(
      chunks.slice(Math.floor((page * chunks.length) / count), Math.floor(((page + 1) * chunks.length) / count)),
    ),
  );
}

/** A chunk by its index in the document. */
export function chunkOf(pages: readonly Page[], index: number): Chunk | undefined {
  const { page, rest } = pageWith(pages, index);
  return pages[page]?.chunks[rest];
}

/** Pages with other chunks in place of those from one index to another. */
export function splicePages(pages: readonly Page[], from: number, to: number, chunks: readonly Chunk[]): Page[] {
  const start = pageWith(pages, from);
  const end = pageWith(pages, to);
  const exchanged =
    to === from + 1 && chunks.length === 1
      ? exchangeChunk(pages[start.page] as Page, start.rest, chunks[0] as Chunk)
      : null;
  if (exchanged !== null) return pages.with(start.page, exchanged);
  const before = (pages[start.page] as Page).chunks.slice(0, start.rest);
  const after = (pages[end.page] as Page).chunks.slice(end.rest);
  const middle = [...before, ...chunks, ...after];
  const next = pages[end.page + 1];
  // A page that shrinks takes its neighbour in, lest a document comes to consist of small ones.
  const takesNext = middle.length < usual / 2 && next !== undefined;
  const all = takesNext ? [...middle, ...next.chunks] : middle;
  const made = all.length <= largest && all.length > 0 ? [createPage(all)] : pagesOf(all);
  return [...pages.slice(0, start.page), ...made, ...pages.slice(end.page + (takesNext ? 2 : 1))];
}

/** The page that a chunk is on, and its index there; behind the last chunk, the end of the last page. */
function pageWith(pages: readonly Page[], index: number): { page: number; rest: number } {
  let rest = index;
  let page = 0;
  for (; page < pages.length - 1; page += 1) {
    const { length } = (pages[page] as Page).chunks;
    if (rest < length) break;
    rest -= length;
  }
  return { page, rest };
}
