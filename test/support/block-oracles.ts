import assert from "node:assert/strict";
import { type Node, Parser } from "commonmark";
import { type Block, readTree } from "../../src/markdown/blocks/read-tree.ts";

/** Fails unless the blocks of a text are those that commonmark.js reads, where both read CommonMark. */
export function assertBlocks(source: string): void {
  const text = asBothRead(source);
  assert.deepEqual(kindsOf(readTree(text)), commonmarkKinds(text), JSON.stringify(text));
}

/** Whether the tree of a text is the one that commonmark.js reads: it is not where micromark errs. */
export const isReadElsewhere = (text: string): boolean =>
  JSON.stringify(kindsOf(readTree(text))) === JSON.stringify(commonmarkKinds(text));

/** A text without what one of the two readers takes for something else than CommonMark does. */
function asBothRead(text: string): string {
  return (
    text
      // No file begins with one behind its preamble.
      .replace(/^\uFEFF+/, "")
      // micromark lets a line that is one tag end a paragraph of a container that it does not stand in.
      .replace(/<(\/?[A-Za-z][^>]*)>/g, "<$1>b")
      // micromark begins no empty item, and none with another number than 1, behind indented code or another marker.
      .replace(/\d+(?=[.)])/g, "1")
      .replace(/(?<=^(?:[ \t>]|(?:[-*+]|\d[.)])(?=[ \t]))*(?:[-*+]|\d[.)]))[ \t]*$/gm, " a")
      // micromark ends no title of a definition at an inner bracket that makes it none.
      .replace(/\((?=[^)]*\()/g, "")
      // commonmark.js knows no tab behind the label of a definition, nor before its title.
      .replace(/(?<=\]:.*)\t/g, " ")
  );
}

/** Types of blocks, and what they hold; no definitions. */
export type Kinds = readonly [type: string, children: readonly Kinds[]];

export const kindsOf = ({ type, children }: Block): Kinds => [
  type,
  joined(children.filter((child) => child.type !== "definition").map(kindsOf)),
];

/** micromark parts indented code behind a container that its first line leaves. */
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
    return [names[node.type] ?? node.type, joined(children)];
  }
}

/** Definitions above a rule leave a paragraph that holds nothing. */
const isLeftover = ({ type, firstChild }: Node): boolean => type === "paragraph" && firstChild === null;
