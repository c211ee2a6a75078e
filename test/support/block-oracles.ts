import assert from "node:assert/strict";
import { type Node, Parser } from "commonmark";
import { type Block, readTree } from "../../src/markdown/blocks/read-tree.ts";

/** Fails unless the blocks of a text equal those of commonmark.js. Skips constructs that either reader gets wrong. */
export function assertBlocks(source: string): void {
  const text = asBothRead(source);
  assert.deepEqual(kindsOf(readTree(text)), commonmarkKinds(text), JSON.stringify(text));
}

/** Whether the tree of a text equals that of commonmark.js; false where micromark deviates. */
export const isReadElsewhere = (text: string): boolean =>
  JSON.stringify(kindsOf(readTree(text))) === JSON.stringify(commonmarkKinds(text));

/** Changes constructs that micromark or commonmark.js does not read as CommonMark says. */
function asBothRead(text: string): string {
  return (
    text
      // Without its preamble, no text begins with a byte order mark.
      .replace(/^\uFEFF+/, "")
      // micromark lets a line with a single tag end a paragraph in a container to which the line does not belong.
      .replace(/<(\/?[A-Za-z][^>]*)>/g, "<$1>b")
      // After indented code or a marker, micromark begins neither an empty item nor an item with a number other than 1.
      .replace(/\d+(?=[.)])/g, "1")
      .replace(/(?<=^(?:[ \t>]|(?:[-*+]|\d[.)])(?=[ \t]))*(?:[-*+]|\d[.)]))[ \t]*$/gm, " a")
      // micromark continues a definition's title after an inner bracket, which makes the title invalid.
      .replace(/\((?=[^)]*\()/g, "")
      // commonmark.js accepts no tab after a definition's label or before its title.
      .replace(/(?<=\]:.*)\t/g, " ")
  );
}

/** Types of blocks with their children, without definitions. */
export type Kinds = readonly [type: string, children: readonly Kinds[]];

export const kindsOf = ({ type, children }: Block): Kinds => [
  type,
  joined(children.filter((child) => child.type !== "definition").map(kindsOf)),
];

/** Joins indented code, which micromark splits if the first line leaves a container. */
const joined = (all: readonly Kinds[]): Kinds[] =>
  all.filter(([type], index) => type !== "code" || all[index - 1]?.[0] !== "code");

const names: Readonly<Record<string, Block["type"]>> = {
  document: "root",
  block_quote: "blockquote",
  item: "listItem",
  code_block: "code",
  html_block: "html",
  thematic_break: "thematicBreak",
};

export function commonmarkKinds(text: string): Kinds {
  return read(new Parser().parse(text));

  function read(node: Node): Kinds {
    const children: Kinds[] = [];
    if (["document", "list", "item", "block_quote"].includes(node.type)) {
      for (let child = node.firstChild; child !== null; child = child.next) {
        if (!isLeftover(child)) children.push(read(child));
      }
    }
    return [names[node.type] ?? node.type, joined(children)];
  }
}

/** Whether a node is the empty paragraph that definitions above a rule leave behind. */
const isLeftover = ({ type, firstChild }: Node): boolean => type === "paragraph" && firstChild === null;
