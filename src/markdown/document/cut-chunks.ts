import { type Chunk, quietChunk, readChunk } from "./chunk.ts";
import { readPlainChunk, readTextChunk } from "./plain-chunk.ts";
import { preambleLength } from "./preamble.ts";
import { treeEnd } from "./tree-end.ts";

/** Cut a whole document into chunks; none for an empty one. */
export function cutDocument(text: string): Chunk[] {
  const length = preambleLength(text);
  const preamble = length === 0 ? [] : [quietChunk(text.slice(0, length))];
  return [...preamble, ...cutChunks(text, length)];
}

/** Cut what stands behind an offset into chunks. */
export function cutChunks(text: string, from: number): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = from; at < text.length; ) {
    const chunk = readPlain(text, at) ?? readChunk(text.slice(at, treeEnd(text, at)));
    chunks.push(chunk);
    at += chunk.text.length;
  }
  return chunks;
}

/** The chunk that stands at an offset where its lines tell what they are; null where only a tree can tell. */
const readPlain = (text: string, from: number): Chunk | null =>
  text[from] === "-" ? readPlainChunk(text, from) : readTextChunk(text, from);

/** Where the chunk that starts at an offset ends. */
export const chunkEnd = (text: string, from: number): number => {
  const plain = readPlain(text, from);
  return plain === null ? treeEnd(text, from) : from + plain.text.length;
};
