import { type FoundTask, type Reading, readBlocks } from "../tasks/read-blocks.ts";
import { countEndings } from "../text/line-ending.ts";

/**
 * A part of a document whose content is the same if the part is parsed alone. Versions of a document share unchanged
 * chunks.
 */
export interface Chunk extends Reading {
  readonly text: string;
  /** Number of line endings. */
  readonly lines: number;
}

export function readChunk(text: string): Chunk {
  const { tasks, ...reading } = readBlocks(text);
  // Drop the blocks: they are large, and every version of a plan stores its chunks.
  const found = tasks.map(({ item: _item, owned: _owned, ...task }): FoundTask => task);
  return chunkOf(text, { ...reading, tasks: found });
}

/** Reading of a chunk without tasks and headings, such as front matter or a byte order mark. */
const nothing: Reading = { tasks: [], headings: [], oddities: [], open: null };

export const quietChunk = (text: string): Chunk => chunkOf(text, nothing);

export function chunkOf(text: string, reading: Reading, lines = linesIn(text)): Chunk {
  return { ...reading, text, lines };
}

const emptyChunk: Chunk = { ...nothing, text: "", lines: 0 };

/**
 * Replace the character in the box of a chunk's task; null if the replacement may change how the chunk is parsed.
 *
 * @param box Offset of the character in the chunk.
 */
export function tickChunk(chunk: Chunk, box: number, character: string): Chunk | null {
  const [task, other] = chunk.tasks;
  const isBox =
    task?.box === box &&
    task.boxes === undefined &&
    blankOrX.test(character) &&
    boxes.test(chunk.text.slice(box - 1, box + 3));
  if (task === undefined || other !== undefined || !isBox) return null;
  const text = `${chunk.text.slice(0, box)}${character}${chunk.text.slice(box + 1)}`;
  return { ...chunk, text, tasks: [{ ...task, done: character !== " " }] };
}

const blankOrX = /^[ xX]$/;
// Boxes in a form in which a tick does not change where the title starts.
const boxes = /^\[[ xX]\] /;

function linesIn(text: string): number {
  const endings = countEndings(text);
  return endings["\n"] + endings["\r\n"] + endings["\r"];
}

interface ChunkPlace {
  readonly chunk: Chunk;
  readonly index: number;
  readonly offset: number;
}

/** Find the chunk that contains an offset; the last chunk for the end of the document. */
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
