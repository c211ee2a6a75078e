import type { Nodes, Root } from "mdast";
import { type CompileContext, type Extension, fromMarkdown, type Options, type Token } from "mdast-util-from-markdown";
import { contentEnd } from "../text/line-ending.ts";

/** A box as it stands in a list item. */
export interface Box {
  /** Offset of the character between the brackets. */
  readonly offset: number;
  /** Offset at which the title starts, blanks included. */
  readonly titleStart: number;
}

/** A node of the block structure of a document: offsets instead of text, and no inline nodes. */
export interface Block {
  /** The mdast type. */
  readonly type: BlockType;
  readonly start: number;
  /** Behind its last character that is no blank. */
  readonly end: number;
  /** Counted from 1. */
  readonly column: number;
  /** Of a root, a list, an item or a quote. */
  readonly children: readonly Block[];
  /** Of a heading, 0 elsewhere. */
  readonly level: number;
  /** Of a list. */
  readonly ordered: boolean;
  /** Of a list item that is task-like. */
  readonly box: Box | null;
  /** Of a fence or an HTML block that lacks its closing line. */
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

/** Whether a task-like item stands in a block, itself included. What stands in a quote is somebody else's. */
export const holdsBox = (block: Block): boolean =>
  block.box !== null || (block.type !== "blockquote" && block.children.some(holdsBox));

// GFM wants something behind the box, be it on the next line.
const strictBox = /\[[ xX]\](?=[ \t\r\n])/y;
// Boxes that GFM does not know and authors write: `[-] 1.2`, `[~] 1.2`, `[ ]* 1.2`, `[x]1.2`.
const lenientBox = /^\[[ xX~-]\](?:\\?\*)?(?=[ \t]|\d|[A-Z]\d|\*\*)/;

/** The box at the start of the paragraph that an item begins with. */
function strictBoxOf(text: string, { start, end }: Pick<Block, "start" | "end">): Box | null {
  strictBox.lastIndex = start;
  return strictBox.test(text) && end > start + 3 ? { offset: start + 1, titleStart: start + 3 } : null;
}

/** The box, of any form, at the start of the paragraph or heading that an item begins with. */
export function lenientBoxOf(text: string, { start }: Pick<Block, "start">): Box | null {
  const found = lenientBox.exec(text.slice(start, start + 8));
  return found === null ? null : { offset: start + 1, titleStart: start + found[0].length };
}

/** Lines that may underline a heading, beyond which micromark takes quadratic time for them. */
const mostUnderlines = 100;
const underline = /^[ \t>]*(?:-+|=+)[ \t]*$/gm;
/** Marks of lists and quotes that a line begins with, and those beyond the hundredth, which are read as text. */
const tooDeep =
  /^([ \t]*(?:(?:>|(?:[*+-]|\d{1,9}[.)])[ \t])[ \t]*){100})((?:(?:>|(?:[*+-]|\d{1,9}[.)])[ \t])[ \t]*)+)/gm;
/** A line that stands deeper than a hundred lists in each other, which is read as text. */
const tooFar = /^([ \t]{200,})([^ \t\r\n].*)/gm;
const asText = (_: string, outer: string, inner: string): string => outer + "x".repeat(inner.length);
type Syntax = Exclude<NonNullable<Options["extensions"]>[number], readonly unknown[]>;
type Tokenize = Extract<NonNullable<Syntax["string"]>[number], { tokenize: unknown }>["tokenize"];

/** Takes a character for a token of its own. Where it were read as data, parts of that would be joined in quadratic time. */
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
/** Reads text like the strings of definitions, without inline constructs: they never change the blocks, and take time. */
const withoutInline: Syntax = {
  document: {
    null: {
      tokenize(_effects, _ok, nok) {
        this.parser.text = this.parser.string;
        return nok;
      },
    },
  },
  // The line endings of micromark, `&` and the backslash.
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
    // A byte order mark, which micromark leaves out, is a character where it is not the first of a file.
    .replace(/^\uFEFF/, "x");
  const tooMany = (text.match(underline) ?? []).length > mostUnderlines;
  const root: Root = fromMarkdown(text, {
    extensions: [withoutInline, { disable: { null: tooMany ? ["setextUnderline"] : [] } }],
    mdastExtensions: [countFences],
  });
  return blockOf(root, text, text.length);
}

/** Fences of each block of code: one that is never closed has one. */
const fences = new WeakMap<object, number>();
const countFences: Extension = {
  enter: {
    codeFencedFence(this: CompileContext) {
      const code = this.stack.findLast(({ type }) => type === "code") as Nodes;
      fences.set(code, (fences.get(code) ?? 0) + 1);
    },
  },
};

/** @param limit Where the next block starts: an item with an open fence is said to end behind the next bullet. */
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

/** Where a node starts; an underlined heading behind definitions is said to start with those. */
function startOf(node: Nodes, before?: Nodes): { readonly start: number; readonly column: number } {
  const { offset, column } = (node.position as NonNullable<Nodes["position"]>).start;
  const isAround = node.type === "heading" && before !== undefined && (offset as number) < endOf(before);
  return isAround ? startOf(node.children[0] as Nodes) : { start: offset as number, column };
}

const endOf = ({ position }: Nodes): number => (position as NonNullable<Nodes["position"]>).end.offset as number;

/** The box of an item: GFM looks behind definitions for it, boxes that GFM does not know begin the item. */
function boxOf(text: string, children: readonly Block[]): Box | null {
  const first = children.find(({ type }) => type !== "definition");
  if (first === undefined || (first.type !== "paragraph" && first.type !== "heading")) return null;
  const strict = first.type === "paragraph" ? strictBoxOf(text, first) : null;
  return strict ?? (first === children[0] ? lenientBoxOf(text, first) : null);
}

/** What opens the kinds of HTML that a blank line does not end, and what closes them. */
const htmlKinds: readonly (readonly [opens: RegExp, closes: RegExp])[] = [
  [/^<(?:script|pre|style|textarea)(?=[ \t\r\n>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<!\[CDATA\[/, /\]\]>/],
  [/^<![a-z]/i, />/],
];

/** What closes the HTML that a text begins with; null when a blank line does, or it is none. */
export const closerOf = (text: string): RegExp | null => htmlKinds.find(([opens]) => opens.test(text))?.[1] ?? null;

function isUnclosed(node: Nodes, source: string): boolean {
  if (node.type === "code") return fences.get(node) === 1;
  return node.type === "html" && closerOf(source.trimStart())?.test(source.trimStart().slice(2)) === false;
}
