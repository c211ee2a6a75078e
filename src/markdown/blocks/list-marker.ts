import { isRule } from "./leaf-start.ts";
import type { LineCursor } from "./line-cursor.ts";

/** A bullet or a number before an item. */
export interface ListMarker {
  /** The bullet, or what stands behind the number. Items of one list agree in it. */
  readonly kind: string;
  readonly length: number;
  readonly ordered: boolean;
  /** Whether it stands alone on its line. */
  readonly isEmpty: boolean;
  /** Whether it can end a paragraph: neither empty nor a number other than 1. */
  readonly interrupts: boolean;
}

const number = /\d{1,9}[.)]/y;

/** The marker that follows a cursor, if an item starts there. */
export function listMarkerAt(text: string, { next, to }: LineCursor): ListMarker | null {
  const first = text[next] as string;
  let length = 1;
  if (first >= "0" && first <= "9") {
    number.lastIndex = next;
    length = number.exec(text)?.[0].length ?? 0;
    if (length === 0) return null;
  } else if (first !== "-" && first !== "*" && first !== "+") {
    return null;
  }
  const behind = next + length;
  if (behind < to && text[behind] !== " " && text[behind] !== "\t") return null;
  if ((first === "-" || first === "*") && isRule(text, next, to)) return null;
  const isEmpty = isBlankUpTo(text, behind, to);
  const ordered = length > 1;
  const isOne = !ordered || (first === "1" && length === 2);
  return { kind: text[behind - 1] as string, length, ordered, isEmpty, interrupts: isOne && !isEmpty };
}

function isBlankUpTo(text: string, from: number, to: number): boolean {
  let at = from;
  while (at < to && (text[at] === " " || text[at] === "\t")) at += 1;
  return at === to;
}
