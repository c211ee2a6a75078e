import { describe, expect, it } from "vitest";
import { readChunk } from "../../../src/markdown/document/chunk.ts";
import { readPlainChunk } from "../../../src/markdown/document/cut-chunks.ts";

describe("readPlainChunk", () => {
  it.each([
    ["a title alone", "- [ ] 1.1 One\n"],
    ["a ticked box", "- [x] 1.1 One\n"],
    ["a box ticked with a capital", "- [X] 1.1 One\n"],
    ["blanks around the title", "- [ ] 1.1   One \t \n"],
    ["a label and a blank behind it", "- [ ] 1.1 [ABC]: \n"],
    ["no id", "- [ ] One [P]\n"],
    ["markers", "- [ ] 1.1 [P] [FIX 1.2] Ön\u2028e\n"],
    ["a title that a return ends", "- [ ] 1.1 One\r\n  - **Do**: a\r\n\r\n"],
    ["blank lines behind it", "- [ ] 1.1 One\n  - a\n\n\n\n"],
    ["all fields", "- [ ] 1.1 One\n  - **Do**: a\n  - **Files**: b\n  - **Verify**: `c`\n  - **Commit**: `d`\n"],
    ["steps of a field", "- [ ] 1.1 One\n  - **Do**:\n    1. a\n    2. b\n      - c\n    d\n  - **Files**: e\n"],
    ["a field twice", "- [ ] 1.1 One\n  - **Do**: a\n  - **Do**: b\n  - __Files__: c\n"],
    ["an empty field", "- [ ] 1.1 One\n  - **Do**:\n  - **Do**: b\n"],
    ["labels that are no fields", "- [ ] 1.1 One\n  - **Done**: a\n  - _Design: b_\n  - **AC**: c\n  - **Do**: d\n"],
    ["a long label", `- [ ] 1.1 One\n  - **Do**: ${"a".repeat(80)}\n  - **${"Do".repeat(40)}**: b\n`],
    ["an unusual label", "- [ ] 1.1 One\n  - **DONE WHEN:** a b c d e f g h i j k l m\n"],
  ])("reads %s as its tree says, wherever it stands", (_, text) => {
    const expected = readChunk(text);
    for (const [before, behind] of [
      ["", ""],
      ["- [ ] 0.1 Zero\n", "- [ ] 2.1 Two\n"],
      ["Words\n\n", "# Phase\n"],
    ] as const) {
      const chunk = readPlainChunk(`${before}${text}${behind}`, before.length);
      expect(chunk).toEqual(expected);
    }
  });

  it("reads a task with bullets and steps", () => {
    const chunk = readPlainChunk(
      "- [x] 1.1 [P] Add\n  - **Do**:\n    1. Look\n  - **Do**: no\n  - **AC**: ok\n\n# B\n",
      0,
    );
    expect(chunk?.tasks).toMatchObject([{ id: "1.1", markers: ["P"], title: "Add", done: true, end: 71 }]);
    expect(chunk?.tasks.map(({ fields }) => fields)).toEqual([{ do: "1. Look" }]);
  });

  it.each([
    ["what is no open or ticked item", "* [ ] 1 A\n"],
    ["a title of several lines", "- [ ] 1 A\n  b\n"],
    ["a last line that is not finished", "- [ ] 1 A"],
    ["an item without a title", "- [ ] \n"],
    ["lines that end with a return alone", "- [ ] 1 A\n  - b\r  - c\n"],
    ["a task in it", "- [ ] 1 A\n  - [ ] 1.1 B\n"],
    ["a fence", "- [ ] 1 A\n  - **Verify**:\n    ```\n    a\n    ```\n"],
    ["what slipped out of it", "- [ ] 1 A\n\n**Verify**: `a`\n"],
    ["a bullet that a list begins with", "- [ ] 1 A\n  - 1. a\n"],
    ["an item that goes on behind blank lines", "- [ ] 1 A\n\n  b\n"],
    ["a bullet with a last line that is not finished", "- [ ] 1 A\n  - b"],
    ["a step that is a box", "- [ ] 1 A\n  - b\n    - [ ] 1.1 B\n"],
  ])("leaves %s to the tree", (_, text) => {
    expect(readPlainChunk(text, 0)).toBeNull();
  });

  it.each(["  - a\n", "    a\n", "  - a\n    a\n"])(
    "does not go on at the start of a text when it ends, as in %j",
    (before) => {
      for (const rest of ["- [ ] 1 A", "- [ ] 1 A\n  - b", "- [ ] 1 A\n  - b\n    c"]) {
        expect(readPlainChunk(before + rest, before.length)).toBeNull();
      }
    },
  );
});
