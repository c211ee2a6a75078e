import { isEnding } from "../text/line-ending.ts";
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
export function gapBehind({ text }: Pick<PlanDocument, "text">, end: number): BlockGap {
  let endings = 0;
  let at = end;
  for (; at < text.length; at += 1) {
    const character = text[at];
    if (isEnding(character)) {
      if (character === "\r" && text[at + 1] === "\n") at += 1;
      endings += 1;
    } else if (character !== " " && character !== "\t") {
      break;
    }
  }
  return { blankLines: Math.max(0, endings - 1), next: at, isLast: at >= text.length };
}
