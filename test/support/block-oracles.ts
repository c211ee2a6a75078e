import assert from "node:assert/strict";
import { type Node, Parser } from "commonmark";
import { type Block, readTree } from "../../src/markdown/blocks/read-tree.ts";

/** Fails unless the blocks of a text equal those of commonmark.js, as far as both follow CommonMark. */
export function assertBlocks(source: string): void {
  const text = asBothRead(source);
  assert.deepEqual(kindsOf(readTree(text)), commonmarkKinds(text), JSON.stringify(text));
}

/** Whether the tree of a text equals that of commonmark.js: false if micromark deviates. */
export const isReadElsewhere = (text: string): boolean =>
  JSON.stringify(kindsOf(readTree(text))) === JSON.stringify(commonmarkKinds(text));

/** A text without constructs that one of the two readers reads differently from CommonMark. */
function asBothRead(text: string): string {
  return (
    text
      // No text begins with a byte order mark once its preamble is cut off.
      .replace(/^\uFEFF+/, "")
      // micromark lets a line of one tag end a paragraph of a container that the line is not part of.
      .replace(/<(\/?[A-Za-z][^>]*)>/g, "<$1>b")
      // After indented code or another marker, micromark begins no empty item, and no item with another number than 1.
      .replace(/\d+(?=[.)])/g, "1")
      .replace(/(?<=^(?:[ \t>]|(?:[-*+]|\d[.)])(?=[ \t]))*(?:[-*+]|\d[.)]))[ \t]*$/gm, " a")
      // micromark does not end a definition's title at an inner bracket that makes it invalid.
      .replace(/\((?=[^)]*\()/g, "")
      // commonmark.js accepts no tab after the label of a definition, nor before its title.
      .replace(/(?<=\]:.*)\t/g, " ")
  );
}

/** Types of blocks, and their children, without definitions. */
export type Kinds = readonly [type: string, children: readonly Kinds[]];

export const kindsOf = ({ type, children }: Block): Kinds => [
  type,
  joined(children.filter((child) => child.type !== "definition").map(kindsOf)),
];

/** micromark splits indented code if the first line of the code leaves a container. */
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

/** The blocks that commonmark.js reads in a text. */
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

/** Definitions above a rule leave an empty paragraph. */
const isLeftover = ({ type, firstChild }: Node): boolean => type === "paragraph" && firstChild === null;
