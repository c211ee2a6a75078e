import { lineEnd, skipEnding } from "../text/line-ending.ts";
import type { Block } from "./block.ts";
import { createBlockReader, type Tail } from "./block-reader.ts";

/**
 * Read the block structure of markdown.
 *
 * Takes time linear in the text, whatever it holds; libraries take quadratic time for nested marks and underlined
 * lines, of which an executor may write any number. Inline constructs are not looked at: they never change the blocks.
 *
 * @param text
 *   CommonMark with GFM task list items, without front matter.
 * @see https://spec.commonmark.org/0.31.2/#appendix-a-parsing-strategy
 */
export const parseBlocks = (text: string): Block => parseWithTail(text).root;

/** The blocks of a text, and how it ends. */
export interface ParsedBlocks {
  readonly root: Block;
  readonly tail: Tail;
  /** Offsets at which its lines start. */
  readonly starts: readonly number[];
  /** Where it ends. */
  readonly end: number;
}

/**
 * Read the block structure of a text, or of its first lines, and how it ends.
 *
 * @param stops
 *   Asked of every line but the first whether the text ends before it, with how it ends there.
 */
export function parseWithTail(
  text: string,
  stops: (at: number, tail: () => Tail) => boolean = () => false,
): ParsedBlocks {
  const reader = createBlockReader(text);
  const starts = [0];
  let at = 0;
  while (at < text.length && !(at > 0 && stops(at, reader.tail))) {
    const end = lineEnd(text, at);
    reader.readLine(at, end);
    at = end < text.length ? skipEnding(text, end) : end;
    if (end < text.length) starts.push(at);
  }
  const tail = reader.tail();
  return { root: reader.finish(), tail, starts, end: at };
}
