import type { Block, Box } from "./block.ts";

// GFM wants something behind the box, be it on the next line.
const strictBox = /\[[ xX]\](?=[ \t\r\n])/y;
// Boxes that GFM does not know and authors write: `[-] 1.2`, `[~] 1.2`, `[ ]* 1.2`, `[x]1.2`.
const lenientBox = /^\[[ xX~-]\](?:\\?\*)?(?=[ \t]|\d|[A-Z]\d|\*\*)/;

/** The box at the start of the paragraph that an item begins with. */
export function strictBoxOf(text: string, { start, end }: Pick<Block, "start" | "end">): Box | null {
  strictBox.lastIndex = start;
  return strictBox.test(text) && end > start + 3 ? { offset: start + 1, titleStart: start + 3 } : null;
}

/** The box, of any form, at the start of the paragraph or heading that an item begins with. */
export function lenientBoxOf(text: string, { start }: Pick<Block, "start">): Box | null {
  const found = lenientBox.exec(text.slice(start, start + 8));
  return found === null ? null : { offset: start + 1, titleStart: start + found[0].length };
}
