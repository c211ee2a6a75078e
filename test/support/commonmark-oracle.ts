import { type Node, Parser } from "commonmark";

const parser = new Parser();

export interface ReadNode {
  readonly type: string;
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
  readonly children: readonly ReadNode[];
}

export function readItemElsewhere(markdown: string, line: number): ReadNode | null {
  const pending = [...childrenOf(parser.parse(markdown))];
  const items: ReadNode[] = [];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === "item" && node.line === line) items.push(node);
    pending.push(...node.children);
  }
  return items.length === 1 ? (items[0] ?? null) : null;
}

/** Code spans have no backticks. Null unless the line is a paragraph of only text and code. */
export function seenElsewhere(markdown: string): string | null {
  const paragraph = parser.parse(markdown).firstChild;
  if (paragraph === null || paragraph.type !== "paragraph" || paragraph.next !== null) return null;
  const text = textOf(paragraph);
  return text.includes("\0") ? null : text;
}

function childrenOf(node: Node): ReadNode[] {
  const children: ReadNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.next) {
    const isLeaf = child.type === "paragraph" || child.type === "heading";
    const [[line]] = child.sourcepos ?? [[0]];
    const { type } = child;
    children.push({ type, line, text: isLeaf ? textOf(child) : "", children: isLeaf ? [] : childrenOf(child) });
  }
  return children;
}

/** Other constructs appear as their name after a NUL, which no text contains. */
function textOf(node: Node): string {
  let text = "";
  for (let child = node.firstChild; child !== null; child = child.next) {
    if (child.type === "text" || child.type === "code") text += child.literal;
    else if (child.type === "softbreak") text += "\n";
    else text += `\0${child.type}(${textOf(child)})`;
  }
  return text;
}

export const showsAs = (seen: string, text: string): boolean =>
  text.includes("`") ? bare(seen) === bare(text) : seen === text;

const bare = (text: string): string => text.replace(/[`\s]/g, "");
