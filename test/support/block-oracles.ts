import assert from "node:assert/strict";
import { type Node, Parser } from "commonmark";
import type { Nodes } from "mdast";
import { type CompileContext, type Extension, fromMarkdown, type Token } from "mdast-util-from-markdown";
import { gfmTaskListItem } from "micromark-extension-gfm-task-list-item";
import type { Block } from "../../src/markdown/blocks/block.ts";
import { parseBlocks } from "../../src/markdown/blocks/parse-blocks.ts";
import { lenientBoxOf } from "../../src/markdown/blocks/read-box.ts";
import { contentEnd, isEnding } from "../../src/markdown/text/line-ending.ts";

/** Fails unless the blocks of a text are those that other parsers read. */
export function assertBlocks(source: string): void {
  const text = withoutLoneTags(source);
  const block = parseBlocks(text);
  const [ours, theirs] = [outlineOf(block), mdastOutline(text)];
  // micromark takes an indented code block for a paragraph when a list follows; where they disagree a third decides.
  const isShared = JSON.stringify(kindsOf(ours)) === JSON.stringify(kindsOf(theirs));
  if (!isShared) assert.deepEqual(kindsOf(block), commonmarkKinds(text));
  else if (!isMisplaced(theirs)) assert.deepEqual(ours, theirs);
}

// micromark lets a line that is one tag end a paragraph of a container that it does not stand in.
const withoutLoneTags = (text: string): string => text.replace(/^\uFEFF+/, "").replaceAll("<b>", "<b>b");

/** micromark misplaces definitions above an underlined heading. */
const isMisplaced = ({ type, start, end, children }: Outline): boolean =>
  (type === "definition" && start === end) || children.some(isMisplaced);

/** What two readers of blocks have to agree in; quotes without what stands in them. */
type Outline = Omit<Block, "children" | "isUnclosed"> & { readonly children: readonly Outline[] };

/** Types of blocks, and what they hold; no definitions. */
export type Kinds = readonly [type: string, children: readonly Kinds[]];

/** The blocks that mdast-util-from-markdown reads in a text. */
function mdastOutline(text: string): Outline {
  const boxes = new Map<unknown, number>();
  const root = fromMarkdown(text, { extensions: [gfmTaskListItem()], mdastExtensions: [noteBoxes(boxes)] });
  return toOutline(root, text.length);

  function toOutline(node: Nodes, limit: number): Outline {
    const { start: from, end: to } = node.position as NonNullable<Nodes["position"]>;
    const start = from.offset as number;
    // An item with an unclosed fence is said to end behind the bullet of the next one, so the next start is a limit.
    const end = contentEnd(text, start, Math.min(to.offset as number, limit));
    const nodes = node.type === "root" || node.type === "list" || node.type === "listItem" ? node.children : [];
    const children = nodes.map((child, index) =>
      toOutline(child, Math.min(limit, nodes[index + 1]?.position?.start.offset ?? limit)),
    );
    return {
      type: node.type as Block["type"],
      start,
      end,
      column: from.column,
      level: node.type === "heading" ? node.depth : 0,
      ordered: node.type === "list" && node.ordered === true,
      box: node.type === "listItem" ? boxOf(boxes.get(node), children) : null,
      children,
    };
  }

  function boxOf(strict: number | undefined, children: readonly Outline[]): Block["box"] {
    const [first] = children;
    const begins = children.find(({ type }) => type !== "definition");
    // A paragraph behind an empty item is taken to begin the outer one, too.
    const isLater = begins !== undefined && strict !== undefined && strict > begins.end;
    if (strict === undefined || isLater) {
      return first?.type === "paragraph" || first?.type === "heading" ? lenientBoxOf(text, first) : null;
    }
    return isEnding(text[strict]) ? null : { offset: strict, titleStart: strict + 2 };
  }
}

/** The same of the blocks that are to be held against them. */
function outlineOf({ isUnclosed: _, children, ...block }: Block): Outline {
  return { ...block, children: block.type === "blockquote" ? [] : children.map(outlineOf) };
}

export const kindsOf = ({ type, children }: Shape): Kinds => [
  type,
  children.filter((child) => child.type !== "definition").map(kindsOf),
];

interface Shape {
  readonly type: Block["type"];
  readonly children: readonly Shape[];
}

const names: Readonly<Record<string, Block["type"]>> = {
  document: "root",
  block_quote: "blockquote",
  item: "listItem",
  code_block: "code",
  html_block: "html",
  thematic_break: "thematicBreak",
};

/** What commonmark.js reads in a text. */
export function commonmarkKinds(text: string): Kinds {
  return read(new Parser().parse(text));

  function read(node: Node): Kinds {
    const children: Kinds[] = [];
    if (["document", "list", "item", "block_quote"].includes(node.type)) {
      for (let child = node.firstChild; child !== null; child = child.next) {
        if (!isLeftover(child)) children.push(read(child));
      }
    }
    return [names[node.type] ?? node.type, children];
  }
}

/** Definitions above a rule leave a paragraph that holds nothing. */
const isLeftover = ({ type, firstChild }: Node): boolean => type === "paragraph" && firstChild === null;

/** The parser keeps whether a box is ticked, but not where it is. */
function noteBoxes(boxes: Map<unknown, number>): Extension {
  function note(this: CompileContext, token: Token): undefined {
    // The innermost node is the paragraph, the one around it the item.
    const item = this.stack.at(-2);
    if (!boxes.has(item)) boxes.set(item, token.start.offset);
  }
  return { enter: { taskListCheckValueChecked: note, taskListCheckValueUnchecked: note } };
}
