import { describe, expect, it } from "vitest";
import { mergeProgress } from "../../../src/markdown/progress/merge-progress.ts";

const log = "## Learnings\n- x\n";

const open = "  ```\n## Learnings";

describe("a member's log, piece by piece", () => {
  it.each([
    ["1\n.\n", "\n1\n.\n"],
    ["a\n\nb\n", "\na\n\nb\n"],
    ["- ```\n  make\n", "- ```\n  make\n  ```\n"],
  ])("keeps %j unchanged", (member, added) => {
    expect(mergeProgress(log, member)).toBe(`${log}${added}`);
  });

  it.each([
    ["   a\n    - b\n", "- a\n- b\n"],
    ["   - a\n    - b\n", "- a\n- b\n"],
    ["[x]: /u\n2. b\n", "- \\[x\\]: /u\n- 2\\. b\n"],
    ["<!-- a - b -->\n", "- <\\!-- a - b -->\n"],
  ])("writes %j as text, because it would read differently elsewhere", (member, added) => {
    expect(mergeProgress(log, member)).toBe(`${log}${added}`);
  });

  it("indents items only before an indented fence", () => {
    expect(mergeProgress(open, "a\n")).toBe(`## Learnings\na\n\n${open}`);
    expect(mergeProgress(open, "<div>\n")).toBe(`## Learnings\n   - \\<div>\n\n${open}`);
    expect(mergeProgress(open, "### A\n- b\n")).toBe(`## Learnings\n   ### A\n\n   - b\n\n${open}`);
    expect(mergeProgress(open, "### A\n- b\n\nc\n")).toBe(`## Learnings\n### A\n\n- b\n\nc\n\n${open}`);
  });
});
