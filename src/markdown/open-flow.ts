import type { Block } from "./block.ts";
import { splitLines } from "./line-ending.ts";

const fence = /^ {0,3}(`{3,}|~{3,})/;
const htmlKinds: readonly (readonly [opens: RegExp, closes: RegExp])[] = [
  [/^ {0,3}<(?:script|pre|style|textarea)(?=[ \t\r\n>]|$)/i, /<\/(?:script|pre|style|textarea)>/gi],
  [/^ {0,3}<!--/, /-->/g],
  [/^ {0,3}<\?/, /\?>/g],
  [/^ {0,3}<!\[CDATA\[/, /\]\]>/g],
  [/^ {0,3}<![A-Za-z]/, />/g],
];
const blankLine = /(?:\r\n|\n|\r(?!\n))[ \t]*(?=\r\n|\n|\r|$)/g;
const blankLineFirst = /^[ \t]*(?:\r\n|\n|\r(?!\n))[ \t]*(?:\r\n|\n|\r)/;

/** A block at the end of a text that takes in what follows the text. */
export interface OpenFlow {
  readonly start: number;
  /** Finds where it would end. Global. */
  readonly close: RegExp;
}

/** The fence or HTML block that swallows the lines behind a text, if its last root block is one. */
export function openFlowAtEnd(text: string, root: Block): OpenFlow | null {
  const last = root.children.at(-1);
  if (last === undefined) return null;
  const source = text.slice(last.start, last.end);
  const close = closeOf(last, source);
  if (close !== null) return { start: last.start, close };
  const endsAtBlankLine = last.type === "html" && !htmlKinds.some(([opens]) => opens.test(source));
  return endsAtBlankLine && !blankLineFirst.test(text.slice(last.end)) ? { start: last.start, close: blankLine } : null;
}

/** Whether a fence or HTML block runs to the end of the document for want of its closing line. */
export const isUnclosed = (block: Block, source: string): boolean => closeOf(block, source) !== null;

/** Whether a code block in whatever container is a fence without its closing line. */
export function isUnclosedFence(source: string): boolean {
  const opened = fence.exec(source)?.[1];
  if (opened === undefined) return false;
  const lines = splitLines(source);
  const last = (lines.at(-1) as string).replace(/^[ \t>]+/, "");
  return lines.length === 1 || last.length < opened.length || last !== opened.charAt(0).repeat(last.length);
}

function closeOf(block: Block, source: string): RegExp | null {
  if (block.type === "code") {
    const opened = fence.exec(source)?.[1];
    if (opened === undefined) return null;
    const line = ` {0,3}\\${opened.charAt(0)}{${opened.length},}[ \\t]*`;
    const lines = splitLines(source);
    const closed = lines.length > 1 && new RegExp(`^${line}$`).test(lines.at(-1) as string);
    return closed ? null : new RegExp(`(?:\\n|\\r)${line}(?=\\r|\\n|$)`, "g");
  }
  if (block.type !== "html") return null;
  for (const [opens, closes] of htmlKinds) {
    const opening = opens.exec(source);
    if (opening !== null) return source.slice(opening[0].length).search(closes) < 0 ? closes : null;
  }
  return null;
}
