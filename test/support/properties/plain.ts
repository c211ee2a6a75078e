import assert from "node:assert/strict";
import * as fc from "fast-check";
import { readChunk } from "../../../src/markdown/document/chunk.ts";
import { readPlainChunk, readTextChunk } from "../../../src/markdown/document/cut-chunks.ts";
import { treeEnd } from "../../../src/markdown/document/tree-end.ts";
import { lineStarts } from "../../../src/markdown/text/line-ending.ts";
import { dialectPlans } from "../dialect-arbitraries.ts";
import { documents, tornTexts } from "../markdown-arbitraries.ts";
import { property } from "./property.ts";

const word = fc.constantFrom(
  ...[
    "a",
    "1",
    "[x] ",
    "[ ] ",
    "- ",
    "* ",
    "1. ",
    "**",
    "**Do**: ",
    "**Verify**:",
    "_Design:_",
    "**AC**: ",
    "`",
    "```",
  ],
  ...["~~~", "# ", "---", "===", "<!--", "<b>", "> ", "[a]: b", "\t", " ", "  ", "1.1", "[P]", "[FIX 1.1]", "\\", ":"],
);
const words = fc.array(word, { maxLength: 5 }).map((all) => all.join(""));
const plain = fc.constantFrom(
  ...["  - **Do**: a", "  - **Verify**: `a`", "  - **Files**:", "  - a", "  - `a", "  - _Requirements: 1_", "    1. a"],
  ...["    - a", "    a", "      a", "        a", "     (a", ""],
);
const other = fc.constantFrom(
  ...["  - ", "  a", "   - a", "- [x] 1.2 a", "# a", "  - [ ] 1.3 a", "    [a", "    ===", "- b", "    - [ ] 1.4 a"],
  ...[
    "    [ ] a",
    "    - [] a",
    "    [a]: b",
    "    > a",
    "    ```",
    "    # a",
    "    <b>",
    "    -",
    "    ---",
    "    ~~~",
  ],
);
const start = fc.oneof({ weight: 7, arbitrary: plain }, { weight: 1, arbitrary: other });
const more = fc.oneof({ weight: 3, arbitrary: fc.constant("") }, { weight: 1, arbitrary: words });

const plainly = fc
  .tuple(words, fc.array(fc.tuple(start, more), { maxLength: 9 }))
  .map(([title, lines]) => `- [ ] 1.1 a${title}\n${lines.map((line) => `${line.join("")}\n`).join("")}`);

const textLine = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      ...[
        "a",
        "# a",
        "## a #",
        "- a",
        "  - a",
        "1. a",
        "2) a",
        "> a",
        ">> # a",
        "| a | b |",
        "---",
        "***",
        "**a**: `b`",
      ],
      ...["    a", "\ta", "a [b](c)", "  a", "#", "- > a", "-", "a   ", "- - a", "===", "10. a"],
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...["[a]: b", "```", "~~~", "<!-- a", "-->", "<b>", " # a", "- # a", "    # a", "> ```", "- ```", "- [ ] 1.1 a"],
      ...[
        "2. [ ] a",
        "- [] a",
        "[ ] a",
        "  ===",
        "> ---",
        "- ---",
        "  - [x] a",
        "\t- [ ] a",
        "-\t[ ] a",
        "1.\ta",
        "> - [ ] a",
      ],
    ),
  },
);
const endings = fc.constantFrom("\n", "\n", "\n", "\r\n", "\r");
const long = `${"A long text that is cut. ".repeat(100)}\n`;
const textual = fc
  .tuple(fc.array(fc.oneof(textLine, textLine, fc.constant(""), words), { maxLength: 14 }), endings, fc.nat(30))
  .map(([lines, ending, at]) =>
    lines.map((line, index) => `${line}${index === at ? `\n${long}` : ""}${ending}`).join(""),
  );

export const plainProperties = [
  property(
    "a task of plain lines is read as its tree says, and ends where a tree does",
    200_000,
    fc.oneof(plainly, plainly, documents, dialectPlans, tornTexts),
    (text) => {
      let isPlain = false;
      for (const from of lineStarts(text)) {
        const chunk = readPlainChunk(text, from);
        if (chunk === null) continue;
        isPlain = true;
        assert.deepEqual(chunk, readChunk(chunk.text));
        assert.equal(from + chunk.text.length, treeEnd(text, from));
      }
      return isPlain ? undefined : "no plain task";
    },
  ),

  property(
    "text without a task is read as its tree says",
    200_000,
    fc.oneof(textual, textual, textual, documents, dialectPlans, tornTexts),
    (text) => {
      let isPlain = false;
      for (const from of lineStarts(text).filter((at) => at < text.length)) {
        const chunk = readTextChunk(text, from);
        if (chunk === null) continue;
        isPlain = true;
        assert.deepEqual(chunk, readChunk(chunk.text));
      }
      return isPlain ? undefined : "no plain text";
    },
  ),
];
