import { type Node, Parser } from "commonmark";
import type { Nodes } from "mdast";
import { type CompileContext, type Extension, fromMarkdown, type Token } from "mdast-util-from-markdown";
import { gfmTaskListItem } from "micromark-extension-gfm-task-list-item";
import type { Block } from "../../src/markdown/blocks/block.ts";
import { lenientBoxOf } from "../../src/markdown/blocks/read-box.ts";
import { contentEnd, isEnding } from "../../src/markdown/text/line-ending.ts";

/** What two readers of blocks have to agree in; quotes without what stands in them. */
export type Outline = Omit<Block, "children" | "isUnclosed"> & { readonly children: readonly Outline[] };

/** Types of blocks, and what they hold; quotes without what stands in them, and no definitions. */
export type Kinds = readonly [type: string, children: readonly Kinds[]];

/** The blocks that mdast-util-from-markdown reads in a text. */
export function mdastOutline(text: string): Outline {
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
export function outlineOf({ isUnclosed: _, children, ...block }: Block): Outline {
  return { ...block, children: block.type === "blockquote" ? [] : children.map(outlineOf) };
}

export const kindsOf = ({ type, children }: Outline): Kinds => [
  type,
  children.filter((child) => child.type !== "definition").map(kindsOf),
];

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
    if (["document", "list", "item"].includes(node.type)) {
      for (let child = node.firstChild; child !== null; child = child.next) children.push(read(child));
    }
    return [names[node.type] ?? node.type, children];
  }
}

/** The parser keeps whether a box is ticked, but not where it is. */
function noteBoxes(boxes: Map<unknown, number>): Extension {
  function note(this: CompileContext, token: Token): undefined {
    // The innermost node is the paragraph, the one around it the item.
    const item = this.stack.at(-2);
    if (!boxes.has(item)) boxes.set(item, token.start.offset);
  }
  return { enter: { taskListCheckValueChecked: note, taskListCheckValueUnchecked: note } };
}
