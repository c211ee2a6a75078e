import { type Block, holdsBox } from "../blocks/block.ts";
import { splitLines } from "../text/line-ending.ts";
import { readLabel } from "./field-label.ts";

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
  const owned: Block[] = [];
  for (let next = index + 1; next < list.children.length; next += 1) {
    const sibling = list.children[next] as Block;
    if (isBoundary(text, sibling)) return owned;
    owned.push(sibling);
  }
  return root.children[rootIndex] === list ? owned.concat(behindList(text, item, root, rootIndex)) : owned;
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
  for (let next = rootIndex + 1; next < root.children.length; next += 1) {
    const block = root.children[next] as Block;
    if (block.type === "list") yield* block.children;
    else yield block;
  }
}

function isBoundary(text: string, block: Block): boolean {
  if (block.type === "heading" || block.type === "thematicBreak" || holdsBox(block)) return true;
  const source = text.slice(block.start, block.end);
  if (block.type === "listItem") return block.column === 1 && bracketItem.test(source);
  if (block.type === "paragraph") return splitLines(source).some((line) => nearMissLine.test(line));
  return block.isUnclosed;
}

function labelled(text: string, block: Block): boolean {
  const source = text.slice(block.start, block.end);
  return readLabel(block.type === "listItem" ? source.replace(itemMarker, "") : source) !== null;
}
