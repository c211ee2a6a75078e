import { type Block, holdsBox } from "./block.ts";
import { readLabel } from "./field-label.ts";
import { splitLines } from "./line-ending.ts";
import { isUnclosed } from "./open-flow.ts";

const bracketItem = /^[-*+][ \t]{1,4}\[/;
const itemMarker = /^(?:[-*+]|\d+[.)])[ \t]+/;
const nearMissLine = /^[ \t]*[-*+][ \t]?\[[^\]\n(]{0,3}\]/;

/** A task-like item and where it stands. */
export interface Place {
  readonly item: Block;
  readonly list: Block;
  readonly index: number;
  /** Of the root's child it is in. */
  readonly rootIndex: number;
}

/**
 * What belongs to a task and stands behind its item: items of its list without a box, and behind the last item of
 * a root list whatever is indented below it or is a field that slipped out of the indentation.
 */
export function ownedContent(text: string, { item, list, index, rootIndex }: Place, root: Block): Block[] {
  const siblings = list.children.slice(index + 1);
  const boundary = siblings.findIndex((sibling) => isBoundary(text, sibling));
  if (boundary >= 0) return siblings.slice(0, boundary);
  return root.children[rootIndex] === list ? [...siblings, ...behindList(text, item, root, rootIndex)] : siblings;
}

function behindList(text: string, item: Block, root: Block, rootIndex: number): Block[] {
  const seen: Block[] = [];
  let kept = 0;
  let afterField = false;
  for (const block of unitsBehind(root, rootIndex)) {
    if (isBoundary(text, block)) break;
    seen.push(block);
    const isField = labelled(text, block);
    const isDeeper = block.column > item.column && ["listItem", "paragraph", "code"].includes(block.type);
    if (isField || isDeeper || (afterField && ["code", "listItem"].includes(block.type))) {
      kept = seen.length;
      afterField = true;
    } else if (block.type !== "html") {
      afterField = false;
    }
  }
  return seen.slice(0, kept);
}

function* unitsBehind(root: Block, rootIndex: number): Generator<Block> {
  for (const block of root.children.slice(rootIndex + 1)) {
    if (block.type === "list") yield* block.children;
    else yield block;
  }
}

function isBoundary(text: string, block: Block): boolean {
  if (block.type === "heading" || block.type === "thematicBreak" || holdsBox(block)) return true;
  const source = text.slice(block.start, block.end);
  if (block.type === "listItem") return block.column === 1 && bracketItem.test(source);
  if (block.type === "paragraph") return splitLines(source).some((line) => nearMissLine.test(line));
  return isUnclosed(block, source);
}

function labelled(text: string, block: Block): boolean {
  const source = text.slice(block.start, block.end);
  return readLabel(block.type === "listItem" ? source.replace(itemMarker, "") : source) !== null;
}
