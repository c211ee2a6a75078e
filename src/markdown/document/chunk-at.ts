import type { Chunk } from "./chunk.ts";
import type { Layout } from "./layout.ts";
import type { Page } from "./page.ts";

/** A chunk, its index and where it starts. */
export interface ChunkPlace {
  readonly chunk: Chunk;
  readonly index: number;
  readonly offset: number;
}

/** The chunk that holds the character at an offset, the last one for the end of the document. */
export function chunkAt({ pages }: Pick<Layout, "pages">, offset: number): ChunkPlace {
  let number = 0;
  let index = 0;
  let start = 0;
  for (; number < pages.length - 1; number += 1) {
    const { chunks, length } = pages[number] as Page;
    if (start + length > offset) break;
    start += length;
    index += chunks.length;
  }
  const { chunks } = pages[number] as Page;
  let within = 0;
  for (; within < chunks.length - 1; within += 1) {
    const { length } = (chunks[within] as Chunk).text;
    if (start + length > offset) break;
    start += length;
  }
  return { chunk: chunks[within] as Chunk, index: index + within, offset: start };
}

/** What stands between two offsets within one chunk. */
export function sourceAt(layout: Pick<Layout, "pages">, start: number, end: number): string {
  const { chunk, offset } = chunkAt(layout, start);
  return chunk.text.slice(start - offset, end - offset);
}
