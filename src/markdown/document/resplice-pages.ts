import type { Chunk } from "./chunk.ts";
import { cutChunks, mayFollow } from "./cut-chunks.ts";
import type { Page } from "./page.ts";
import { chunkOf, splicePages } from "./pages.ts";

/** Chunks that others have taken the place of. */
export interface Respliced {
  readonly pages: readonly Page[];
  readonly removed: readonly Chunk[];
  readonly added: readonly Chunk[];
}

/**
 * Pages of a document of which a part has changed.
 *
 * @param from
 *   Index of the first changed chunk.
 * @param to
 *   Index behind the last.
 * @param text
 *   What stands there, in place of the text of those chunks.
 * @returns
 *   All pages; chunks that need no other reading are the same objects.
 */
export function resplicePages(pages: readonly Page[], from: number, to: number, text: string): Respliced {
  const floor = chunkOf(pages, 0)?.isPreamble === true ? 1 : 0;
  let first = from;
  let last = to;
  let middle = text;
  for (let step = 1; ; step *= 2) {
    // The first characters of a chunk decide whether it is one, and an open chunk goes on into the next.
    while (first > floor && middle !== "" && !mayFollow(chunkOf(pages, first - 1), middle)) {
      first -= 1;
      middle = `${chunkOf(pages, first)?.text}${middle}`;
    }
    const added = cutChunks(middle);
    const next = chunkOf(pages, last);
    const previous = added.at(-1) ?? (first > floor ? chunkOf(pages, first - 1) : undefined);
    if (next === undefined || mayFollow(previous, next.text)) {
      const removed = chunksBetween(pages, first, last);
      return { pages: splicePages(pages, first, last, added), removed, added };
    }
    const more = chunksBetween(pages, last, last + step);
    middle += more.map((chunk) => chunk.text).join("");
    last += more.length;
  }
}

function chunksBetween(pages: readonly Page[], from: number, to: number): Chunk[] {
  const found: Chunk[] = [];
  for (let index = from; index < to; index += 1) {
    const chunk = chunkOf(pages, index);
    if (chunk === undefined) break;
    found.push(chunk);
  }
  return found;
}
