import type { Block } from "../blocks/block.ts";
import type { BlockTask } from "../tasks/read-blocks.ts";
import { lineStart } from "../text/line-ending.ts";

/** How a task is written, to write another one like it. */
export interface TaskStyle {
  /** What stands on its line before its bullet, as blanks. */
  readonly prefix: string;
  /** Bullet or number. */
  readonly marker: string;
  /** Blanks between marker and box. */
  readonly gap: string;
  /** Columns from its marker to the bullets of its fields. */
  readonly indent: number;
  /** Bullet of its fields. */
  readonly bullet: string;
}

const markers = /^([-*+]|\d{1,9}[.)])([ \t]*)/;

/** Read how a task is written. @param text The text it was found in. */
export function styleOf(text: string, { item, box }: BlockTask): TaskStyle {
  const head = text.slice(lineStart(text, item.start), item.start);
  const found = markers.exec(text.slice(item.start, box)) as RegExpExecArray;
  const marker = found[1] as string;
  const blanks = found[2] as string;
  const gap = " ".repeat(Math.max(1, widthOf(blanks, item.column - 1 + marker.length)));
  const content = marker.length + gap.length;
  const first = item.children.find(({ type, ordered }) => type === "list" && !ordered)?.children[0];
  const indent = first === undefined ? content : indentOf(text, item, first);
  const isUsable = indent >= content && indent <= Math.min(content + 3, 8);
  return {
    prefix: head.replace(/[^\t ]/g, " "),
    marker,
    gap,
    indent: isUsable ? indent : content,
    bullet: first === undefined ? (/^\d/.test(marker) ? "-" : marker) : text.charAt(first.start),
  };
}

/** Columns between two items; -1 where tabs stand before the inner one. */
function indentOf(text: string, outer: Block, inner: Block): number {
  const head = text.slice(lineStart(text, inner.start), inner.start);
  return head.includes("\t") ? -1 : inner.column - outer.column;
}

function widthOf(blanks: string, column: number): number {
  let width = 0;
  for (const blank of blanks) width += blank === "\t" ? 4 - ((column + width) % 4) : 1;
  return width;
}
