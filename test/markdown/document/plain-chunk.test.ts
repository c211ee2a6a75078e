import { describe, expect, it } from "vitest";
import { readPlainChunk } from "../../../src/markdown/document/plain-chunk.ts";

describe("readPlainChunk", () => {
  it("reads a task with bullets and steps", () => {
    const chunk = readPlainChunk(
      "- [x] 1.1 [P] Add\n  - **Do**:\n    1. Look\n  - **Do**: no\n  - **AC**: ok\n\n# B\n",
      0,
    );
    expect(chunk?.tasks).toMatchObject([{ id: "1.1", markers: ["P"], title: "Add", done: true, end: 71 }]);
    expect(chunk?.fieldsOf(0)).toEqual({ do: "1. Look" });
  });

  it.each([
    ["what is no open or ticked item", "* [ ] 1 A\n"],
    ["a title of several lines", "- [ ] 1 A\n  b\n"],
    ["a last line that is not finished", "- [ ] 1 A"],
    ["an item without a title", "- [ ] \n"],
    ["other line endings", "- [ ] 1 A\r\n"],
    ["a task in it", "- [ ] 1 A\n  - [ ] 1.1 B\n"],
    ["a fence", "- [ ] 1 A\n  - **Verify**:\n    ```\n    a\n    ```\n"],
    ["what slipped out of it", "- [ ] 1 A\n\n**Verify**: `a`\n"],
    ["a bullet that a list begins with", "- [ ] 1 A\n  - 1. a\n"],
  ])("leaves %s to the reader of blocks", (_, text) => {
    expect(readPlainChunk(text, 0)).toBeNull();
  });
});
