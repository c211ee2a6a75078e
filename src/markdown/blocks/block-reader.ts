import { contentEnd } from "../text/line-ending.ts";
import { type BlockType, createBlock, type GrowingBlock } from "./block.ts";
import { fenceAt, headingAt, htmlAt, isRule, runAt } from "./leaf-start.ts";
import { createCursor, enterLine, takeBlanks, takeMarker } from "./line-cursor.ts";
import { type ListMarker, listMarkerAt } from "./list-marker.ts";
import { addLine, addVerbatim, endParagraph, type Leaf, type OpenParagraph, startParagraph } from "./open-leaf.ts";

/** Containers that may stand in each other; what would be deeper is text. Each takes time on every line. */
const deepest = 100;

/** Reads the lines of a text, one by one, into the tree of its blocks. */
export interface BlockReader {
  /** Read the next line. @param to Its end, without the line ending. */
  readonly readLine: (from: number, to: number) => void;
  /** How many containers the last line stands in. */
  readonly depth: () => number;
  /** How the lines read so far end. */
  readonly tail: () => Tail;
  /** The root, when all lines are read. */
  readonly finish: () => GrowingBlock;
}

/** Where a text ends, as far as that decides how a line behind it reads. */
export interface Tail {
  /** The fence or HTML block of the root that takes in what follows, be it up to a blank line only. */
  readonly open: { readonly start: number; readonly endsAtBlank: boolean } | null;
  /** Blanks that put a line into the item that the root ends in; 0 when it ends in none. */
  readonly itemWidth: number;
  /** Whether a paragraph of the root may go on. */
  readonly inParagraph: boolean;
}

interface Container {
  readonly block: GrowingBlock;
  /** Of an item. */
  readonly list: GrowingBlock | null;
  /** Of the marker of an item. */
  readonly kind: string;
  /** Columns by which the content of an item is indented. */
  readonly width: number;
  /** Blank lines behind the marker of an item that has no content yet, -1 for others. */
  emptyLines: number;
}

/** A reader of the lines of a text, in CommonMark. */
export function createBlockReader(text: string): BlockReader {
  const root = createBlock("root", 0, 0, 1);
  const stack: Container[] = [];
  const line = createCursor();
  let leaf: Leaf | null = null;
  return { readLine, depth: () => stack.length, tail, finish };

  function readLine(from: number, to: number): void {
    enterLine(line, text, from, to);
    let depth = enterContainers();
    const isInside = depth === stack.length;
    if (isInside && (leaf?.kind === "fence" || leaf?.kind === "html")) {
      if (!addVerbatim(leaf, text, line)) leaf = null;
      return;
    }
    depth = openContainers(depth, isInside && leaf?.kind === "paragraph");
    if (line.next === line.to) {
      if (depth < stack.length || leaf?.kind === "paragraph") closeTo(depth);
    } else if (!continueLeaf(depth)) {
      closeTo(depth);
      leaf = startLeaf();
    }
  }

  function tail(): Tail {
    const [outer] = stack;
    const verbatim = outer === undefined && (leaf?.kind === "fence" || leaf?.kind === "html") ? leaf : null;
    const endsAtBlank = verbatim?.kind === "html" && verbatim.closes === null;
    return {
      open: verbatim === null ? null : { start: verbatim.block.start, endsAtBlank },
      itemWidth: outer?.width ?? 0,
      inParagraph: outer === undefined && leaf?.kind === "paragraph",
    };
  }

  function finish(): GrowingBlock {
    closeTo(0);
    root.end = root.children.at(-1)?.end ?? 0;
    return root;
  }

  /** How many of the open containers a line stands in. */
  function enterContainers(): number {
    let depth = 0;
    for (let open = stack[0]; open !== undefined && enters(open); open = stack[depth]) depth += 1;
    return depth;
  }

  function enters(open: Container): boolean {
    if (open.list === null) {
      if (line.indent > 3 || line.next === line.to || text[line.next] !== ">") return false;
      open.block.end = line.next + 1;
      enterQuote();
      return true;
    }
    if (line.next === line.to) {
      if (open.emptyLines >= 0) open.emptyLines += 1;
      return true;
    }
    // An item begins with one blank line at most.
    if (open.emptyLines > 1 || line.indent < open.width) return false;
    open.emptyLines = -1;
    takeBlanks(line, text, open.width);
    return true;
  }

  /** Open the containers that start on a line. */
  function openContainers(entered: number, endsParagraph: boolean): number {
    let depth = entered;
    let mustInterrupt = endsParagraph;
    while (line.next < line.to && line.indent <= 3 && depth < deepest) {
      const marker = listMarkerAt(text, line);
      if (marker === null && text[line.next] !== ">") break;
      if (marker !== null && mustInterrupt && !marker.interrupts) break;
      const before = stack[depth];
      closeTo(depth);
      if (marker === null) openQuote();
      else openItem(marker, before?.kind === marker.kind ? before.list : null);
      depth += 1;
      mustInterrupt = false;
    }
    return depth;
  }

  function openQuote(): void {
    const block = addBlock("blockquote", line.next, line.next + 1);
    stack.push({ block, list: null, kind: ">", width: 0, emptyLines: -1 });
    enterQuote();
  }

  function enterQuote(): void {
    takeMarker(line, text, 1);
    if (line.indent > 0) takeBlanks(line, text, 1);
  }

  function openItem({ kind, length, ordered, isEmpty }: ListMarker, sibling: GrowingBlock | null): void {
    const { next, indent } = line;
    const list = sibling ?? addBlock("list", next, next + length);
    list.ordered = ordered;
    const block = createBlock("listItem", next, next + length, next - line.from + 1);
    list.children.push(block);
    takeMarker(line, text, length);
    // Content behind wider gaps is indented code.
    const gap = isEmpty || line.indent > 4 ? 1 : line.indent;
    if (!isEmpty) takeBlanks(line, text, gap);
    stack.push({ block, list, kind, width: indent + length + gap, emptyLines: isEmpty ? 1 : -1 });
  }

  /** Add a line to the leaf that is open, if it belongs to it. */
  function continueLeaf(depth: number): boolean {
    const isLazy = depth < stack.length;
    if (leaf?.kind === "indented") {
      if (isLazy || line.indent < 4) return false;
    } else if (leaf?.kind === "paragraph") {
      if (!isLazy && endAtUnderline(leaf)) return true;
      if (leaf === null || (line.indent < 4 && startsOtherLeaf())) return false;
    } else {
      return false;
    }
    addLine(leaf, text, line);
    return true;
  }

  function startsOtherLeaf(): boolean {
    const { next, to } = line;
    const first = text[next];
    if (first === "#") return headingAt(text, next) > 0;
    if (first === "`" || first === "~") return fenceAt(text, next, to) > 0;
    if (first === "<") return htmlAt(text, next, false) !== null;
    return (first === "-" || first === "*" || first === "_") && isRule(text, next, to);
  }

  /** Make a paragraph a heading when its underline follows; what was all definitions ends without one. */
  function endAtUnderline(paragraph: OpenParagraph): boolean {
    const first = text[line.next];
    if (line.indent > 3 || (first !== "=" && first !== "-") || runAt(text, line.next, line.to) === 0) return false;
    leaf = null;
    if (!endParagraph(text, paragraph, first === "=" ? 1 : 2, innermost())) return false;
    addLine(paragraph, text, line);
    return true;
  }

  function startLeaf(): Leaf | null {
    const { at, next, to, indent } = line;
    const end = contentEnd(text, next, to);
    if (indent > 3) return { kind: "indented", block: addBlock("code", at, end) };
    const first = text[next];
    const level = first === "#" ? headingAt(text, next) : 0;
    if (level > 0) {
      addBlock("heading", next, end).level = level;
      return null;
    }
    const size = fenceAt(text, next, to);
    if (size > 0) {
      const block = addBlock("code", next, end);
      block.isUnclosed = true;
      return { kind: "fence", block, mark: first as string, size };
    }
    const html = first === "<" ? htmlAt(text, next, true) : null;
    if (html !== null) {
      const block = addBlock("html", at, end);
      block.isUnclosed = html.closes !== null && !html.closes.test(text.slice(html.from, to));
      return block.isUnclosed || html.closes === null ? { kind: "html", block, closes: html.closes } : null;
    }
    if ((first === "-" || first === "*" || first === "_") && isRule(text, next, to)) {
      addBlock("thematicBreak", next, end);
      return null;
    }
    return startParagraph(addBlock("paragraph", next, end), text, line);
  }

  function closeTo(depth: number): void {
    if (leaf?.kind === "paragraph") endParagraph(text, leaf, 0, innermost());
    leaf = null;
    for (
      let closed = stack[stack.length - 1];
      closed !== undefined && stack.length > depth;
      closed = stack[stack.length - 1]
    ) {
      const { block, list } = closed;
      block.end = Math.max(block.end, block.children.at(-1)?.end ?? 0);
      if (list !== null) list.end = block.end;
      stack.pop();
    }
  }

  function innermost(): GrowingBlock {
    return stack.at(-1)?.block ?? root;
  }

  function addBlock(type: BlockType, start: number, end: number): GrowingBlock {
    const block = createBlock(type, start, end, start - line.from + 1);
    innermost().children.push(block);
    return block;
  }
}
