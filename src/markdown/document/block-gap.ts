import { isEnding } from "../text/line-ending.ts";
import { chunkAt } from "./chunk-at.ts";
import type { Layout } from "./layout.ts";
import { chunkOf } from "./pages.ts";

/** What follows a block. */
export interface BlockGap {
  /** Blank lines behind it. */
  readonly blankLines: number;
  /** Offset of the next character that is no blank. */
  readonly next: number;
  /** Whether nothing else follows. */
  readonly isLast: boolean;
}

/** Look behind the end of a block. */
export function gapBehind({ pages }: Pick<Layout, "pages">, end: number): BlockGap {
  const { chunk, index, offset } = chunkAt({ pages }, end - 1);
  // Chunks begin with something that is no blank, but for up to three.
  const text = `${chunk.text}${chunkOf(pages, index + 1)?.text.slice(0, 4) ?? ""}`;
  let endings = 0;
  let at = end - offset;
  for (; at < text.length; at += 1) {
    const character = text[at];
    if (isEnding(character)) {
      if (character === "\r" && text[at + 1] === "\n") at += 1;
      endings += 1;
    } else if (character !== " " && character !== "\t") {
      break;
    }
  }
  return { blankLines: Math.max(0, endings - 1), next: offset + at, isLast: at >= text.length };
}
