import { chunkAt } from "./chunk-at.ts";
import { isEnding } from "./line-ending.ts";
import type { PlanDocument } from "./plan-document.ts";

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
export function gapBehind({ chunks }: PlanDocument, end: number): BlockGap {
  const { chunk, index, offset } = chunkAt(chunks, end - 1);
  // Chunks begin with something that is no blank.
  const text = `${chunk.text}${chunks[index + 1]?.text.slice(0, 1) ?? ""}`;
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
