import type { Nodes, Root } from "mdast";
import { type CompileContext, type Extension, fromMarkdown, type Options, type Token } from "mdast-util-from-markdown";
import { contentEnd } from "../text/line-ending.ts";

export interface Box {
  /** Offset of the character between the brackets. */
  readonly offset: number;
  /** Offset after the box, at the blanks before the title. */
  readonly titleStart: number;
}

/** A node of the block structure of a document, with offsets instead of text, and without inline nodes. */
export interface Block {
  /** The mdast type. */
  readonly type: BlockType;
  readonly start: number;
  /** Offset after the block's last character that is not blank. */
  readonly end: number;
  /** Column of the start, counted from 1. */
  readonly column: number;
  /** Blocks in a root, a list, an item or a quote. */
  readonly children: readonly Block[];
  /** Level of a heading; 0 for other blocks. */
  readonly level: number;
  readonly ordered: boolean;
  /** Box of a list item; null if the item has no box. */
  readonly box: Box | null;
  /** Whether the block is a fence or HTML without its closing line. */
  readonly isUnclosed: boolean;
}

type BlockType =
  | "root"
  | "list"
  | "listItem"
  | "blockquote"
  | "heading"
  | "code"
  | "html"
  | "thematicBreak"
  | "paragraph"
  | "definition";

/** Whether a block is or contains an item with a box. Quotes are ignored, since they repeat other text. */
export const holdsBox = (block: Block): boolean =>
  block.box !== null || (block.type !== "blockquote" && block.children.some(holdsBox));

// GFM requires some text after the box, possibly on the next line.
const strictBox = /\[[ xX]\](?=[ \t\r\n])/y;
// Boxes that GFM does not know but authors write: `[-] 1.2`, `[~] 1.2`, `[ ]* 1.2`, `[x]1.2`.
const lenientBox = /^\[[ xX~-]\](?:\\?\*)?(?=[ \t]|\d|[A-Z]\d|\*\*)/;

function strictBoxOf(text: string, { start, end }: Pick<Block, "start" | "end">): Box | null {
  strictBox.lastIndex = start;
  return strictBox.test(text) && end > start + 3 ? { offset: start + 1, titleStart: start + 3 } : null;
}

/** Find a box of any form at the start of the first paragraph or heading of an item. */
export function lenientBoxOf(text: string, { start }: Pick<Block, "start">): Box | null {
  const found = lenientBox.exec(text.slice(start, start + 8));
  return found === null ? null : { offset: start + 1, titleStart: start + found[0].length };
}

/** Maximum number of lines that may underline a heading: micromark takes quadratic time for such lines. */
const mostUnderlines = 100;
const underline = /^[ \t>]*(?:-+|=+)[ \t]*$/gm;
/**
 * More than a hundred markers of lists and quotes at the start of a line. Markers after the hundredth are read as text.
 */
const tooDeep =
  /^([ \t]*(?:(?:>|(?:[*+-]|\d{1,9}[.)])[ \t])[ \t]*){100})((?:(?:>|(?:[*+-]|\d{1,9}[.)])[ \t])[ \t]*)+)/gm;
/** A line that is indented deeper than a hundred nested lists; it is read as text. */
const tooFar = /^([ \t]{200,})([^ \t\r\n].*)/gm;
const asText = (_: string, outer: string, inner: string): string => outer + "x".repeat(inner.length);
type Syntax = Exclude<NonNullable<Options["extensions"]>[number], readonly unknown[]>;
type Tokenize = Extract<NonNullable<Syntax["string"]>[number], { tokenize: unknown }>["tokenize"];

/**
 * Tokenize a character separately: as part of a `data` token, the character would be joined with its neighbours in
 * quadratic time.
 */
const takeAs =
  (type: Token["type"]): Tokenize =>
  (effects, ok) =>
  (code) => {
    effects.enter(type);
    effects.consume(code);
    effects.exit(type);
    return ok;
  };
const mark = { tokenize: takeAs("escapeMarker") };
const ending = { tokenize: takeAs("lineEnding") };
/** Do not parse inline constructs such as links: they take time, and never change the blocks. */
const withoutInline: Syntax = {
  document: {
    null: {
      tokenize(_effects, _ok, nok) {
        this.parser.text = this.parser.string;
        return nok;
      },
    },
  },
  // Codes of the line endings in micromark, of `&` and of the backslash.
  string: { [-5]: ending, [-4]: ending, [-3]: ending, 38: mark, 92: mark },
};

/**
 * Read the block structure of markdown.
 *
 * @param source CommonMark with GFM task list items, without front matter.
 */
export function readTree(source: string): Block {
  const text = source
    .replace(tooDeep, asText)
    .replace(tooFar, asText)
    // micromark drops a byte order mark. Here the mark is an ordinary character, since `source` need not be the start
    // of a file.
    .replace(/^\uFEFF/, "x");
  const tooMany = (text.match(underline) ?? []).length > mostUnderlines;
  const root: Root = fromMarkdown(text, {
    extensions: [withoutInline, { disable: { null: tooMany ? ["setextUnderline"] : [] } }],
    mdastExtensions: [countFences],
  });
  return blockOf(root, text, text.length);
}

/** Number of fence lines of each code block; an unclosed block has a single fence line. */
const fences = new WeakMap<object, number>();
const countFences: Extension = {
  enter: {
    codeFencedFence(this: CompileContext) {
      const code = this.stack.findLast(({ type }) => type === "code") as Nodes;
      fences.set(code, (fences.get(code) ?? 0) + 1);
    },
  },
};

/**
 * @param limit Start of the next block, where this block ends at the latest. With an unclosed fence, the parser extends
 * an item further.
 */
function blockOf(node: Nodes, text: string, limit: number, { start, column } = startOf(node)): Block {
  const nodes: readonly Nodes[] =
    node.type === "root" || node.type === "list" || node.type === "listItem" || node.type === "blockquote"
      ? node.children
      : [];
  const starts = nodes.map((child, index) => startOf(child, nodes[index - 1]));
  const children = nodes.map((child, index) =>
    blockOf(child, text, Math.min(limit, starts[index + 1]?.start ?? limit), starts[index]),
  );
  const source = { start, end: contentEnd(text, start, Math.min(endOf(node), limit)) };
  return {
    ...source,
    type: node.type as Block["type"],
    column,
    children,
    level: node.type === "heading" ? node.depth : 0,
    ordered: node.type === "list" && node.ordered === true,
    box: node.type === "listItem" ? boxOf(text, children) : null,
    isUnclosed: isUnclosed(node, text.slice(source.start, source.end)),
  };
}

/** Start of a node. For an underlined heading after definitions, the parser reports the start of the definitions. */
function startOf(node: Nodes, before?: Nodes): { readonly start: number; readonly column: number } {
  const { offset, column } = (node.position as NonNullable<Nodes["position"]>).start;
  const isAround = node.type === "heading" && before !== undefined && (offset as number) < endOf(before);
  return isAround ? startOf(node.children[0] as Nodes) : { start: offset as number, column };
}

const endOf = ({ position }: Nodes): number => (position as NonNullable<Nodes["position"]>).end.offset as number;

/** Find the box of an item. A GFM box may follow definitions; other boxes are at the start of the item. */
function boxOf(text: string, children: readonly Block[]): Box | null {
  const first = children.find(({ type }) => type !== "definition");
  if (first === undefined || (first.type !== "paragraph" && first.type !== "heading")) return null;
  const strict = first.type === "paragraph" ? strictBoxOf(text, first) : null;
  return strict ?? (first === children[0] ? lenientBoxOf(text, first) : null);
}

/** Opening and closing patterns of HTML blocks that a blank line does not end. */
const htmlKinds: readonly (readonly [opens: RegExp, closes: RegExp])[] = [
  [/^<(?:script|pre|style|textarea)(?=[ \t\r\n>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<!\[CDATA\[/, /\]\]>/],
  [/^<![a-z]/i, />/],
];

/** Closing pattern of the HTML block at the start of a text; null if there is none, or a blank line ends it. */
export const closerOf = (text: string): RegExp | null => htmlKinds.find(([opens]) => opens.test(text))?.[1] ?? null;

function isUnclosed(node: Nodes, source: string): boolean {
  if (node.type === "code") return fences.get(node) === 1;
  return node.type === "html" && closerOf(source.trimStart())?.test(source.trimStart().slice(2)) === false;
}
