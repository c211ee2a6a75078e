import assert from "node:assert/strict";
import * as fc from "fast-check";
import { parseWithTail } from "../../../src/markdown/blocks/parse-blocks.ts";
import { byteLengthOf, type Chunk, createChunk } from "../../../src/markdown/document/chunk.ts";
import { cutChunks } from "../../../src/markdown/document/cut-chunks.ts";
import { readPlainChunk } from "../../../src/markdown/document/plain-chunk.ts";
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

/** Tasks of plain lines among which now and then one is none. */
const plainly = fc
  .tuple(words, fc.array(fc.tuple(start, more), { maxLength: 9 }))
  .map(([title, lines]) => `- [ ] 1.1 a${title}\n${lines.map((line) => `${line.join("")}\n`).join("")}`);

const said = (chunk: Chunk) => ({ ...chunk, bytes: byteLengthOf(chunk) });

export const plainProperties = [
  property(
    "a task of plain lines is read as the reader of blocks reads it, and ends where that ends it",
    200_000,
    fc.oneof(plainly, plainly, documents, dialectPlans, tornTexts),
    (text) => {
      let isPlain = false;
      for (const from of parseWithTail(text).starts) {
        const chunk = readPlainChunk(text, from);
        if (chunk === null) continue;
        isPlain = true;
        assert.deepEqual(said(chunk), said(createChunk(chunk.text, parseWithTail(chunk.text))));
        // A wider gap behind the box is not plain, and changes nothing else.
        const [slowly] = cutChunks(`${text.slice(from, from + 5)} ${text.slice(from + 5)}`);
        assert.equal(slowly?.text.length, chunk.text.length + 1);
      }
      return isPlain ? undefined : "no plain task";
    },
  ),
];
