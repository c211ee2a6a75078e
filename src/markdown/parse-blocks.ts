import type { Nodes } from "mdast";
import { type CompileContext, type Extension, fromMarkdown, type Token } from "mdast-util-from-markdown";
import { gfmTaskListItemFromMarkdown } from "mdast-util-gfm-task-list-item";
import { gfmTaskListItem } from "micromark-extension-gfm-task-list-item";
import type { Block, Box } from "./block.ts";
import { contentEnd, isEnding } from "./line-ending.ts";

// Inline constructs never change the block structure; reading without them takes half the time.
const blocksOnly = {
  disable: {
    null: [
      "attention",
      "autolink",
      "codeText",
      "hardBreakEscape",
      "htmlText",
      "labelEnd",
      "labelStartImage",
      "labelStartLink",
      "characterReference",
    ],
  },
};
const syntax = [gfmTaskListItem(), blocksOnly];
const taskListItems = gfmTaskListItemFromMarkdown();

// Boxes that GFM does not know and authors write: `[-] 1.2`, `[~] 1.2`, `[ ]* 1.2`, `[x]1.2`.
const lenientBox = /^\[[ xX~-]\](?:\\?\*)?(?=[ \t]|\d|[A-Z]\d|\*\*)/;
const deepest = 100;

/**
 * Read the block structure of markdown.
 *
 * @param text
 *   CommonMark with GFM task list items, without front matter.
 * @returns
 *   The root; blocks below a depth of 100 are left out.
 */
export function parseBlocks(text: string): Block {
  const boxes = new Map<unknown, number>();
  const root = fromMarkdown(withoutBom(text), {
    extensions: syntax,
    mdastExtensions: [taskListItems, noteBoxes(boxes)],
  });
  return toBlock(root, text.length, 0);

  function toBlock(node: Nodes, limit: number, depth: number): Block {
    const { start: from, end: to } = node.position as NonNullable<Nodes["position"]>;
    const start = from.offset as number;
    // An item with an unclosed fence is said to end behind the bullet of the next one, so the next start is a limit.
    const end = contentEnd(text, start, Math.min(to.offset as number, limit));
    const nodes = depth < deepest ? blocksIn(node) : [];
    const children = nodes.map((child, index) =>
      toBlock(child, Math.min(limit, nodes[index + 1]?.position?.start.offset ?? limit), depth + 1),
    );
    return {
      type: node.type,
      start,
      end,
      column: from.column,
      children,
      level: node.type === "heading" ? node.depth : 0,
      ordered: node.type === "list" && node.ordered === true,
      box: node.type === "listItem" ? boxOf(text, boxes.get(node), children[0]) : null,
    };
  }
}

// micromark drops a byte order mark and all its offsets are one too small behind it.
const withoutBom = (text: string): string => (text.startsWith("\uFEFF") ? `x${text.slice(1)}` : text);

/** mdast-util-gfm-task-list-item keeps whether a box is ticked, but not where it is. */
function noteBoxes(boxes: Map<unknown, number>): Extension {
  function note(this: CompileContext, token: Token): undefined {
    // The innermost node is the paragraph, the one around it the item.
    boxes.set(this.stack.at(-2), token.start.offset);
  }
  return { enter: { taskListCheckValueChecked: note, taskListCheckValueUnchecked: note } };
}

function blocksIn(node: Nodes): Nodes[] {
  const isContainer =
    node.type === "root" || node.type === "blockquote" || node.type === "list" || node.type === "listItem";
  return isContainer ? node.children : [];
}

function boxOf(text: string, strict: number | undefined, first: Block | undefined): Box | null {
  // A box that spans lines cannot be ticked by changing one character.
  if (strict !== undefined) return isEnding(text[strict]) ? null : { offset: strict, titleStart: strict + 2 };
  if (first?.type !== "paragraph" && first?.type !== "heading") return null;
  const found = lenientBox.exec(text.slice(first.start, first.start + 8));
  return found === null ? null : { offset: first.start + 1, titleStart: first.start + found[0].length };
}
