import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainHeadings } from "../../../src/markdown/progress/progress-section.ts";
import { readBlocks } from "../../../src/markdown/tasks/read-blocks.ts";
import { appendLine } from "../../support/append-line.ts";
import { hostileTexts, progressLogs } from "../../support/markdown-arbitraries.ts";
import { prop } from "../../support/prop.ts";

const log = "# Progress\n\n## Learnings\n- One\n\n## Next\n- Two\n";

describe("appendItem", () => {
  it("adds a line to the section that is there", () => {
    expect(appendLine(log, "learnings", "Ports are *typed*")).toBe(
      "# Progress\n\n## Learnings\n- One\n- Ports are \\*typed*\n\n## Next\n- Two\n",
    );
  });

  it("makes the section before a given heading, and at the end without", () => {
    expect(appendLine(log, "Decisions", "A", { before: ["Next", "Learnings"] })).toBe(
      "# Progress\n\n## Decisions\n- A\n\n## Learnings\n- One\n\n## Next\n- Two\n",
    );
    expect(appendLine(log, "Decisions", "A", { before: ["Missing"] })).toBe(`${log}\n## Decisions\n- A\n`);
    expect(appendLine("", "Decisions", "A")).toBe("## Decisions\n- A\n");
  });

  it("adds a line again, but not one with a key that stands there", () => {
    const once = appendLine(log, "Next", "Step 3: `a`", { key: "Step 3" });
    expect(once).toBe(`${log}- Step 3: \`a\`\n`);
    expect(appendLine(once, "Next", "Step 3: b", { key: "Step 3" })).toBe(once);
    expect(appendLine(once, "Next", "Step 3: b", { key: "" })).not.toBe(once);
    expect(appendLine(once, "Next", "Step 3: b", { key: "\\" })).not.toBe(once);
    expect(appendLine(once, "Next", "Step 3: b")).toBe(`${once}- Step 3: b\n`);
    expect(appendLine(once, "Next", "step 3: b", { key: "step 3" })).toBe(once);
    expect(appendLine(once, "Next", "Step 31: c", { key: "Step 31" })).toBe(`${once}- Step 31: c\n`);
  });

  it("knows a key that had to be encoded", () => {
    const key = "[x] *a* TASK_COMPLETE";
    const once = appendLine(log, "Next", `${key}: b*`, { key });
    expect(once).toContain("- \\[x\\] \\*a* TASK\\_COMPLETE: b*\n");
    expect(appendLine(once, "Next", `${key}: <c>`, { key })).toBe(once);
  });

  it("finds a heading again that had to be encoded", () => {
    const once = appendLine("", "In C #", "A");
    expect(once).toBe("## In C \\#\n- A\n");
    expect(appendLine(once, "In C #", "B")).toBe("## In C \\#\n- A\n- B\n");
  });

  it("keeps the number of a heading as it is", () => {
    expect(appendLine("", "1. Setup", "A")).toBe("## 1. Setup\n- A\n");
  });

  it("finds a heading that somebody else has written", () => {
    expect(appendLine("## Use [P] & *c*\n- A\n", "Use [P] & *c*", "B")).toBe("## Use [P] & *c*\n- A\n- B\n");
  });

  it("adds behind HTML that a blank line ends", () => {
    const log = "# P\n\n<details>\nfoo\n</details>\n";
    expect(appendLine(log, "L", "b")).toBe(`${log}\n## L\n- b\n`);
  });

  it("knows a line by a key that ends in a mark", () => {
    const once = appendLine("", "L", "foo:bar", { key: "foo:" });
    expect(appendLine(once, "L", "foo:bar", { key: "foo:" })).toBe(once);
  });

  it.each([
    ["# a", "- \\# a"],
    ["1. a", "- 1\\. a"],
    ["- [ ] 1.4 a", "- \\- \\[ \\] 1.4 a"],
    ["<div>", "- \\<div>"],
    ["a\r\nb", "- a b"],
  ])("writes %j as a line of text", (line, written) => {
    expect(appendLine("", "Next", line)).toBe(`## Next\n${written}\n`);
  });
});

describe("appendItem, for every log and every text", () => {
  const before = fc.constantFrom([], ["Learnings"], ["Next", "Completed Tasks"]);
  const titles = (text: string): string[] => readBlocks(text).headings.map(({ title, level }) => `${level} ${title}`);

  prop(
    "I7: adds its lines and changes no other byte",
    [progressLogs, hostileTexts, hostileTexts, before],
    (text, heading, line, headings) => {
      const after = appendLine(text, `H ${heading}`, line, { before: headings });
      let start = 0;
      while (start < text.length && text[start] === after[start]) start += 1;
      expect(after.endsWith(text.slice(start))).toBe(true);
    },
  );

  prop(
    "makes one section at most, and finds it again",
    [progressLogs, hostileTexts, hostileTexts, before],
    (text, heading, line, headings) => {
      const name = `H ${heading}`;
      const once = appendLine(text, name, `a ${line}`, { before: headings, key: `a ${line}` });
      expect(titles(once)).toHaveLength(titles(text).length + 1);
      expect(appendLine(once, name, `a ${line}`, { before: headings, key: `a ${line}` })).toBe(once);
      const twice = appendLine(once, name, "more", { before: headings });
      expect(titles(twice)).toEqual(titles(once));
      expect(plainHeadings(twice)).toHaveLength(plainHeadings(once).length);
    },
  );
});
