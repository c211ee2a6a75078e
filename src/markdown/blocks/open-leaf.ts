import { contentEnd } from "../text/line-ending.ts";
import { createBlock, type GrowingBlock } from "./block.ts";
import { definitionLines } from "./definition-lines.ts";
import { runAt } from "./leaf-start.ts";
import type { LineCursor } from "./line-cursor.ts";
import { lenientBoxOf, strictBoxOf } from "./read-box.ts";

/** A block without blocks in it to which lines may be added. */
export type Leaf =
  | { readonly kind: "indented"; readonly block: GrowingBlock }
  | { readonly kind: "fence"; readonly block: GrowingBlock; readonly mark: string; readonly size: number }
  | { readonly kind: "html"; readonly block: GrowingBlock; readonly closes: RegExp | null }
  | OpenParagraph;

export interface OpenParagraph {
  readonly kind: "paragraph";
  readonly block: GrowingBlock;
  /** Its lines, when definitions may be among them. */
  readonly lines: ParagraphLine[] | null;
}

interface ParagraphLine {
  readonly start: number;
  readonly to: number;
  readonly column: number;
}

/** Add the rest of a line to a leaf, which a blank one makes no longer. */
export function addLine(leaf: Leaf, text: string, line: LineCursor): void {
  if (line.next < line.to) leaf.block.end = contentEnd(text, line.next, line.to);
  if (leaf.kind === "paragraph") leaf.lines?.push(paragraphLine(line));
}

/** The paragraph that starts on a line. */
export function startParagraph(block: GrowingBlock, text: string, line: LineCursor): OpenParagraph {
  return { kind: "paragraph", block, lines: text[line.next] === "[" ? [paragraphLine(line)] : null };
}

/** Add a line to a fence or an HTML block; gives whether that one goes on behind it. */
export function addVerbatim(leaf: Leaf & { kind: "fence" | "html" }, text: string, line: LineCursor): boolean {
  const isBlank = line.next === line.to;
  const endsAtBlank = leaf.kind === "html" && leaf.closes === null;
  if (endsAtBlank && isBlank) return false;
  addLine(leaf, text, line);
  if (endsAtBlank || !closes(leaf, text, line)) return true;
  leaf.block.isUnclosed = false;
  return false;
}

function closes(leaf: Leaf & { kind: "fence" | "html" }, text: string, line: LineCursor): boolean {
  const { at, next, to, indent } = line;
  if (leaf.kind === "html") return leaf.closes?.test(text.slice(at, to)) === true;
  return next < to && indent <= 3 && text[next] === leaf.mark && runAt(text, next, to) >= leaf.size;
}

/**
 * Take the definitions off a paragraph that ends, and read the box that it begins with.
 *
 * @param level
 *   Of the heading that the paragraph is, 0 when it is none.
 * @param parent
 *   The block that it is the last child of.
 * @returns
 *   Whether anything is left of it.
 */
export function endParagraph(
  text: string,
  { block, lines }: OpenParagraph,
  level: number,
  parent: GrowingBlock,
): boolean {
  const isFirst = parent.type === "listItem" && parent.children[0] === block;
  const definitions = lines === null ? 0 : takeDefinitions(text, lines, parent);
  const rest = lines?.[definitions];
  if (lines !== null && rest === undefined) return false;
  if (rest !== undefined && definitions > 0) {
    block.start = rest.start;
    block.column = rest.column;
    parent.children.push(block);
  }
  if (level > 0) {
    block.type = "heading";
    block.level = level;
  }
  if (isFirst) {
    const strict = level === 0 ? strictBoxOf(text, block) : null;
    parent.box = strict ?? (parent.children[0] === block ? lenientBoxOf(text, block) : null);
  }
  return true;
}

/** Put definitions in the place of the paragraph that they were read as; gives how many lines they take. */
function takeDefinitions(text: string, lines: readonly ParagraphLine[], parent: GrowingBlock): number {
  const counts = definitionLines(lines.map(({ start, to }) => text.slice(start, to)));
  if (counts.length > 0) parent.children.pop();
  let index = 0;
  for (const count of counts) {
    const { start, column } = lines[index] as ParagraphLine;
    const { to } = lines[index + count - 1] as ParagraphLine;
    parent.children.push(createBlock("definition", start, contentEnd(text, start, to), column));
    index += count;
  }
  return index;
}

const paragraphLine = ({ next, to, from }: LineCursor): ParagraphLine => ({ start: next, to, column: next - from + 1 });
