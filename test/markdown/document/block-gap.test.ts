import { describe, expect, it } from "vitest";
import { openPlan } from "../../../src/markdown/document/plan-document.ts";
import { gapBehind } from "../../../src/markdown/insert/insert-place.ts";

describe("gapBehind", () => {
  it.each([
    ["nothing", "", { blankLines: 0, next: 9, isLast: true }],
    ["a line ending", "\n", { blankLines: 0, next: 10, isLast: true }],
    ["blank lines at the end", "\n\n \t\n", { blankLines: 2, next: 14, isLast: true }],
    ["a task", "\n- [ ] 2 B\n", { blankLines: 0, next: 10, isLast: false }],
    ["an indented task", "\n\n  1. [ ] 2 B\n", { blankLines: 1, next: 13, isLast: false }],
    ["lines of blanks and tabs", "\n  \n\t\n- [ ] 2 B\n", { blankLines: 2, next: 15, isLast: false }],
    ["lines that end otherwise", "\r\n\r\n\r# C\n", { blankLines: 2, next: 14, isLast: false }],
  ])("tells that %s follows", (_, behind, gap) => {
    expect(gapBehind(openPlan(`- [ ] 1 A${behind}`), 9)).toEqual(gap);
  });
});
