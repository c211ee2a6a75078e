import { describe, expect, it } from "vitest";
import { readPlan } from "../../../src/markdown/document/plan-document.ts";
import { findStrayBoxes } from "../../../src/markdown/lint/find-form-problems.ts";

const stray = (text: string): number[] => findStrayBoxes(text, readPlan(text)).map(({ line }) => line);
const task = "- [ ] 1.1 Add the parser\n";

describe("findStrayBoxes", () => {
  it.each([
    ["a fence", `${task}\n## Notes\n\n\`\`\`\n- [ ] 1.2 Test it\n\`\`\`\n`, 6],
    ["a comment", `${task}\n## Notes\n\n<!-- - [x] 1.2 Test it -->\n`, 5],
    ["a comment of several lines", `${task}\n## Notes\n\n<!--\n- [x] 1.2 Test it\n-->\n`, 6],
    ["a quote", `> - [ ] 1.2 Test it\n\n${task}`, 1],
    ["HTML", `<ul>\n<li>[ ] Test it</li>\n</ul>\n\n${task}`, 2],
    ["a table", `| task | done |\n| --- | --- |\n| Test it | [x] |\n\n${task}`, 3],
    ["a line of text", `[X] **Test it**\n\n${task}`, 1],
    ["a field without task", `**Status**: [x] Done\n\n${task}`, 1],
    ["a line with a ticket", `MPP - [x] T001 Test it\n\n${task}`, 1],
    ["a heading", `## [ ] Test it\n\n${task}`, 1],
    ["code by indentation", `Text\n\n    - [ ] 1.2 Test it\n\n${task}`, 3],
    ["lines that end otherwise", `\uFEFF> - [ ] 1.2 a\r\n\r\ntext\r> 1. [ ] b\n`, 1],
  ])("finds a box in %s", (_, text, line) => {
    expect(stray(text)[0]).toBe(line);
  });

  it("reports that nothing ticks it, and the remedy", () => {
    const text = `> - [ ] 1.2 Test it\n\n${task}`;
    expect(findStrayBoxes(text, readPlan(text))).toEqual([
      {
        rule: "stray-box",
        severity: "warning",
        line: 1,
        message: "This box belongs to no task, so nothing ticks it",
        hint: "If it is to be done, write it as a list item of its own, e.g. `- [ ] 1.1 Add the parser`; else remove the box.",
      },
    ]);
  });

  it("counts lines and offsets with any line endings", () => {
    expect(
      stray(`${task.trim()}\r\n\r\n# A\r\r> - [ ] a\r\n\r\n- [ ] 1.2 B\r\n  > - [ ] b\r\n\r\n# C\n> - [ ] c\n`),
    ).toEqual([5, 11]);
  });

  it.each([
    ["of a task", task],
    ["within a task", `${task}  - [ ] a check\n\n  \`\`\`\n  - [ ] in a fence\n  \`\`\`\n`],
    ["of a task after blanks", `  ${task}`],
    ["within a task far below", `${"\n".repeat(40)}${task}  - [ ] a check\n`],
    ["that is known as a near miss", `-[x] 1.5 Test it\n\n${task}`],
    ["that is known as a near miss in a paragraph", `To do:\n2. [ ] 1.5 Test it\n\n${task}`],
    ["that is a link", `[x](a.md)\n\n[x]: a.md\n\n- [x](b.md)\n\n${task}`],
    ["in a sentence", `Mark a task with [x] when done.\n\nTotal [x] boxes are 3\n\n\`- [ ]\` is open.\n\n${task}`],
    ["in a cell with more", `| use [x] here | b |\n| --- | --- |\n\n${task}`],
  ])("reports no box %s", (_, text) => {
    expect(stray(text)).toEqual([]);
  });
});
