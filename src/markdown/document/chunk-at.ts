import { type Chunk, emptyChunk } from "./chunk.ts";

/** A chunk, its index and where it starts. */
interface ChunkPlace {
  readonly chunk: Chunk;
  readonly index: number;
  readonly offset: number;
}

/** The chunk that holds the character at an offset, the last one for the end of the document. */
export function chunkAt(chunks: readonly Chunk[], at: number): ChunkPlace {
  let index = 0;
  let offset = 0;
  for (; index < chunks.length - 1; index += 1) {
    const { length } = (chunks[index] as Chunk).text;
    if (offset + length > at) break;
    offset += length;
  }
  return { chunk: chunks[index] ?? emptyChunk, index, offset };
}
