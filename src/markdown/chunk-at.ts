import type { Chunk } from "./chunk.ts";

/** A chunk, its index and where it starts. */
export interface ChunkPlace {
  readonly chunk: Chunk;
  readonly index: number;
  readonly offset: number;
}

/** The chunk that holds the character at an offset, the last one for the end of the document. */
export function chunkAt(chunks: readonly Chunk[], offset: number): ChunkPlace {
  let start = 0;
  let index = 0;
  for (; index < chunks.length - 1; index += 1) {
    const { length } = (chunks[index] as Chunk).text;
    if (start + length > offset) break;
    start += length;
  }
  return { chunk: chunks[index] as Chunk, index, offset: start };
}

/** What stands between two offsets within one chunk. */
export function sourceAt(chunks: readonly Chunk[], start: number, end: number): string {
  const { chunk, offset } = chunkAt(chunks, start);
  return chunk.text.slice(start - offset, end - offset);
}
