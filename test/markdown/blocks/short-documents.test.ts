import { describe, expect, it } from "vitest";
import { parseBlocks } from "../../../src/markdown/blocks/parse-blocks.ts";
import { assertBlocks, commonmarkKinds, kindsOf } from "../../support/block-oracles.ts";

const leaves = [
  "",
  "a",
  "  a",
  "    a",
  "\ta",
  "# a",
  "===",
  "---",
  "```",
  "  ~~~~",
  "<div>",
  "<!-- a",
  "a -->",
  "[a]: b",
];
const items = ["- a", "-", "- - a", "-  a", "-     a", "   - a", "* a", "1. a", "2. a", "1)", "- ```"];
const quotes = ["> a", ">", ">    a", ">     a", ">- a", "> ```", "     >a"];
const boxes = ["- [ ] a", "- [x]", "  [ ] a"];
const lines = [...leaves, ...items, ...quotes];

describe("every document", () => {
  it("of three of these lines has the blocks that commonmark.js reads", () => {
    for (const first of lines) {
      for (const second of lines) {
        for (const third of lines) {
          const text = `${first}\n${second}\n${third}`;
          const [ours, theirs] = [kindsOf(parseBlocks(text)), commonmarkKinds(text)];
          if (JSON.stringify(ours) !== JSON.stringify(theirs))
            expect({ text, blocks: ours }).toEqual({ text, blocks: theirs });
        }
      }
    }
  });

  it.each(["", "\n", "\na"])("of two of these lines has them where micromark has, before %j", (end) => {
    for (const first of [...lines, ...boxes]) {
      for (const second of [...lines, ...boxes]) assertBlocks(`${first}\n${second}${end}`);
    }
  });
});
