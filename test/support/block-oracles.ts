import assert from "node:assert/strict";
import { type Node, Parser } from "commonmark";
import { type Block, readTree } from "../../src/markdown/blocks/read-tree.ts";

export function assertBlocks(source: string): void {
  const text = asBothRead(source);
  assert.deepEqual(kindsOf(readTree(text)), commonmarkKinds(text), JSON.stringify(text));
}

export const isReadElsewhere = (text: string): boolean =>
  JSON.stringify(kindsOf(readTree(text))) === JSON.stringify(commonmarkKinds(text));

function asBothRead(text: string): string {
  return (
    text
      .replace(/^\uFEFF+/, "")
      // micromark ends a paragraph in a container at a line with a single tag outside of the container.
      .replace(/<(\/?[A-Za-z][^>]*)>/g, "<$1>b")
      // micromark misses items whose number is not 1 after indented code or a marker.
      .replace(/\d+(?=[.)])/g, "1")
      .replace(/(?<=^(?:[ \t>]|(?:[-*+]|\d[.)])(?=[ \t]))*(?:[-*+]|\d[.)]))[ \t]*$/gm, " a")
      // micromark accepts the title of a definition with an inner bracket, which is invalid.
      .replace(/\((?=[^)]*\()/g, "")
      // commonmark.js rejects a tab after the label of a definition or before its title.
      .replace(/(?<=\]:.*)\t/g, " ")
  );
}

export type Kinds = readonly [type: string, children: readonly Kinds[]];

export const kindsOf = ({ type, children }: Block): Kinds => [
  type,
  joined(children.filter((child) => child.type !== "definition").map(kindsOf)),
];

/** micromark splits indented code whose first line leaves a container. */
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

/** commonmark.js keeps an empty paragraph for definitions above a rule. */
const isLeftover = ({ type, firstChild }: Node): boolean => type === "paragraph" && firstChild === null;
