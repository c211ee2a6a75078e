import { describe, expect, it } from "vitest";
import { cutDocument } from "../../../src/markdown/document/cut-chunks.ts";
import { openPlan } from "../../../src/markdown/document/plan-document.ts";
import { beginsChunk, treeEnd, usualLength } from "../../../src/markdown/document/tree-end.ts";
import { assertReadsInOnePiece } from "../../support/properties/refresh.ts";

function parts(text: string): string[] {
  const found: string[] = [];
  for (let at = 0; at < text.length; at += found.at(-1)?.length ?? 0) found.push(text.slice(at, treeEnd(text, at)));
  expect(
    cutDocument(text)
      .map((chunk) => chunk.text)
      .join(""),
  ).toBe(text);
  return found;
}

describe("beginsChunk", () => {
  it.each(["# a", "#", "######\ta", "- [", "*    [x] a", "+\t[a](b)"])("is true for %j", (line) => {
    expect(beginsChunk(`a\n${line}`, 2)).toBe(true);
  });

  it.each(["#a", "####### a", " # a", "-[ ] a", "-     [ ] a", "1. [ ] a", "- a", ""])("is false for %j", (line) => {
    expect(beginsChunk(`a\n${line}`, 2)).toBe(false);
  });
});

describe("treeEnd", () => {
  it.each([
    ["code in an item after a line without indentation", "- [ ] 4 a\n b\n  ``` c\n\n```\nd\n- [ ] 5 e", 1],
    ["such code after a blank line", "- [ ] 4 a\n b\n\n  ``` c\n\n```\nd\n- [ ] 5 e", 1],
    ["code after the end of the item", "- [ ] 4 a\n b\n\nc\n\n  ```\n  ```\n- [ ] 5 e", 2],
    ["code at the margin after such a line", "- [ ] 4 a\n b\n```\n```\n- [ ] 5 e", 2],
  ])("reads %s as a parse of the whole does", (_, text, count) => {
    expect(parts(text)).toHaveLength(count);
    assertReadsInOnePiece(openPlan(text));
  });

  it("extends to the next heading or box at the margin", () => {
    const found = ["a\n\n", "# b\n\nc\n", "* [ ] 1 d\n  - [ ] 1.1 e\n", "- [f](g)\n  1. [ ] h\n\n", "## i"];
    expect(parts(found.join(""))).toEqual(found);
    expect(parts(found.join("").replaceAll("\n", "\r\n"))).toEqual(found.map((part) => part.replaceAll("\n", "\r\n")));
    expect(parts(found.join("").replaceAll("\n", "\r"))).toEqual(found.map((part) => part.replaceAll("\n", "\r")));
  });

  it.each([
    ["a list of the same", ["1. [ ] 1 a\n   - b\n", "2. [x] 2 c\n", "3. [ ] 3 d\n"]],
    ["another list", ["- a\n", "2) [ ] 2 c\n"]],
    ["an item of an ordered list", ["7. a\n", "8. [ ] 2 c\n"]],
    ["a blank line", ["a\n\n", "2. [ ] 2 c\n"]],
    ["a heading", ["# a\n", "2. [ ] 2 c\n"]],
    ["a rule", ["a\n\n---\n", "2. [ ] 2 c\n"]],
    ["an underline of strokes", ["a\n---\n", "2. [ ] 2 c\n"]],
    ["text, as the first of a list", ["a\n", "1. [ ] 2 c\n"]],
  ])("separates a number from %s", (_, found) => {
    expect(parts(found.join(""))).toEqual(found);
  });

  it.each([
    ["text", "a\n2. [ ] 2 b\n"],
    ["text that continues an item", "- a\nb\n2. [ ] 2 c\n"],
    ["a line that may be text or an underline", "a\n\n===\n2. [ ] 2 b\n"],
    ["a line of other blanks", "a\n\u00A0\n2. [ ] 2 b\n"],
    ["an empty item", "a\n2.\n3. [ ] 2 b\n"],
    ["a number that begins no list within text", "a\n2. b\n3. [ ] 2 c\n"],
    ["a number far after its item", "2.     a\n3. [ ]\n"],
  ])("does not separate a number from %s", (_, text) => {
    expect(parts(text)).toEqual([text]);
  });

  it.each([
    ["a fence", ["```\n# a\n- [ ] b\n````\t\n", "# c\n"]],
    ["a fence of tildes", ["   ~~~~ a~\n# a\n~~~\n    ~~~~\n~~~~\n", "# c\n"]],
    ["a fence after a task", ["- [ ] 1 a\n\n```\n# a\n```\n", "- [ ] 2 b\n"]],
    ["a fence that an item leaves", ["- [ ] 1 a\n  ```\n", "# b\n"]],
    ["a comment", ["<!--\n# a\n\n# b\n-->\n", "# c\n"]],
    ["a comment on one line", ["<!-- a -->\n", "# c\n"]],
    ["a script", ["  <script>\n# a\n\n# b\n</script>\n", "# c\n"]],
    ["HTML of blocks within text", ["a\n<div>\n# b\n\n", "# c\n"]],
    ["a tag alone on its line", ["<x-y a='b' c=\"d\" e=f g>\n# b\n\n", "# c\n"]],
    ["an end tag alone on its line", ["</x-y >\n# b\n\n", "# c\n"]],
    ["a tag within text", ["a\n<b>\n", "# c\n"]],
    ["a tag with text after it", ["<b> a\n", "# c\n"]],
    ["indented code that looks like a fence", ["    ```\n", "# c\n"]],
    ["columns of tabs that look like a fence", [" \t```\n", "# c\n"]],
    ["code in a span", ["``` a ` b\n", "# c\n"]],
    ["a tag after a quote, by a blank line", ["> a\n\n<b>\n# b\n\n", "# c\n"]],
  ])("extends to the end of %s", (_, found) => {
    expect(parts(found.join(""))).toEqual(found);
  });

  it("extends to the end if code or HTML is not closed, or if that is not certain", () => {
    for (const text of ["```\n# a\n", "<!--\n\n# a\n", "<![CDATA[\n]\n# a\n", "> a\n<b>\n\n# a\n", "<div>\n# a\n"]) {
      expect(parts(text)).toEqual([text]);
    }
  });

  const words = `${"word ".repeat(usualLength / 4)}\n`;

  it("splits a long text without a task between two blocks", () => {
    for (const apart of ["\n", "---\n", "* * *\n"]) {
      expect(parts(`<b>c\n${words}${apart}a\n`)).toEqual([`<b>c\n${words}${apart}`, "a\n"]);
    }
  });

  it.each([
    ["within a paragraph", `${words}a\n`],
    ["if a paragraph may continue", `${words}===\na\n`],
    ["if it is not long", "a\n\nb\n"],
    ["in an item", `- ${words}\na\n`.replace("\na\n", "\n\n  a\n")],
    ["if the next line is indented", `${words}\n  a\n`],
    ["at a task", `1. [ ] 1 a\n\n${words}\nb\n`],
    ["in code", `\`\`\`\n${words}\na\n`],
  ])("does not split it %s", (_, text) => {
    expect(parts(text)).toEqual([text]);
  });
});
