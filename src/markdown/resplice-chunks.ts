import type { Chunk } from "./chunk.ts";
import { cutChunks, startsChunk } from "./cut-chunks.ts";
import { isEnding } from "./line-ending.ts";

/**
 * Chunks of a document of which a part has changed.
 *
 * @param from
 *   Index of the first changed chunk.
 * @param to
 *   Index behind the last.
 * @param text
 *   What stands there, in place of the text of those chunks.
 * @returns
 *   All chunks; those that need no other reading are the same objects.
 */
export function respliceChunks(chunks: readonly Chunk[], from: number, to: number, text: string): Chunk[] {
  const floor = chunks[0]?.isPreamble === true ? 1 : 0;
  let first = from;
  let middle = text;
  // The first characters of a chunk decide whether it is one, and an open chunk goes on into the next.
  while (first > floor && ((middle !== "" && !startsChunk(middle)) || chunks[first - 1]?.open != null)) {
    first -= 1;
    middle = `${chunks[first]?.text}${middle}`;
  }
  let last = to;
  for (let step = 1; ; step *= 2) {
    const cut = cutChunks(middle);
    if (last >= chunks.length || fits(middle, cut, chunks[last])) {
      return chunks.slice(0, first).concat(cut, chunks.slice(last));
    }
    const more = chunks.slice(last, last + step);
    middle += textOf(more);
    last += more.length;
  }
}

export const textOf = (chunks: readonly Chunk[]): string => chunks.map(({ text }) => text).join("");

/** Whether a chunk can stay a chunk behind a text. */
function fits(text: string, cut: readonly Chunk[], next: Chunk | undefined): boolean {
  if (next === undefined || !startsChunk(next.text)) return false;
  return text === "" || (isEnding(text.at(-1)) && cut.at(-1)?.open == null);
}
