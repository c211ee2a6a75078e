import { describe, expect, it } from "vitest";
import { mayHavePreamble, preambleLength } from "../../../src/markdown/document/cut-chunks.ts";

const tasks = "- [ ] 1.1 One\n- [ ] 1.2 Two\n";

describe("preambleLength", () => {
  it.each([
    ["front matter", "---\na: 1\n---\n"],
    ["front matter with blanks after its lines", "--- \t\na: 1\n--- \n"],
    ["front matter with other line endings", "---\r\na: 1\r\n---\r\n"],
    ["front matter without a line", "---\n---\n"],
    ["front matter with a comment", "---\n# of a tool\na: [1]\n---\n"],
    ["a byte order mark", "\uFEFF"],
    ["several byte order marks", "\uFEFF\uFEFF"],
    ["front matter after a byte order mark", "\uFEFF---\na: 1\n---\n"],
  ])("is that of %s", (_, preamble) => {
    expect(preambleLength(`${preamble}${tasks}`)).toBe(preamble.length);
    expect(preambleLength(`${preamble}# Plan\n\n${tasks}`)).toBe(preamble.length);
  });

  it("reaches to the end if nothing follows", () => {
    expect(preambleLength("---\na: 1\n---")).toBe(12);
  });

  it.each([
    ["nothing", ""],
    ["markdown", tasks],
    ["a line that is never closed", `---\na: 1\n${tasks}`],
    ["a thematic break before a task", `---\n${tasks}\n---\n`],
    ["a thematic break before a heading", "---\n# Plan\n\nText\n\n---\n"],
    ["front matter that is not at the start", `\n---\na: 1\n---\n${tasks}`],
    ["a byte order mark after the start", `a\uFEFF\n${tasks}`],
  ])("is zero for %s", (_, text) => {
    expect(preambleLength(text)).toBe(0);
    expect(preambleLength(`\uFEFF${text}`)).toBe(1);
  });
});

describe("mayHavePreamble", () => {
  it.each([
    ["\uFEFFtext", true],
    ["--- text", true],
    ["text\uFEFF", false],
    ["text\n---", false],
    ["", false],
  ])("of %j is %s", (text, expected) => {
    expect(mayHavePreamble(text)).toBe(expected);
  });
});
