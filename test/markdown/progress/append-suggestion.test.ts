import { describe, expect, it } from "vitest";
import { preambleLength } from "../../../src/markdown/document/cut-chunks.ts";
import { appendSuggestion } from "../../../src/markdown/progress/append-entry.ts";
import { readBlocks } from "../../../src/markdown/tasks/read-blocks.ts";
import { hostileTexts, progressLogs } from "../../support/markdown-arbitraries.ts";
import { prop } from "../../support/prop.ts";

const log = "# P\n\n## Learnings\n- One\n";

describe("appendSuggestion", () => {
  it("adds one item per finding, before the learnings", () => {
    const once = appendSuggestion(log, { task: "1.3", text: "FR-2 names no limit\n\nAC-1 is *unclear*\n" });
    expect(once).toBe(
      "# P\n\n## Review Suggestions\n- Task 1.3: FR-2 names no limit\n- Task 1.3: AC-1 is \\*unclear*\n\n## Learnings\n- One\n",
    );
    expect(appendSuggestion(once, { task: "1.3", text: "AC-1 is *unclear*" })).toBe(once);
    expect(appendSuggestion(once, { task: "1.4", text: "AC-1 is *unclear*" })).toContain(
      "- Task 1.3: AC-1 is \\*unclear*\n- Task 1.4: AC-1 is \\*unclear*\n",
    );
  });

  it("does not change a log without findings", () => {
    expect(appendSuggestion(log, { task: "1.3", text: " \n\u200b" })).toBe(log);
  });

  it("adds at most 20 findings", () => {
    const text = Array.from({ length: 30 }, (_, index) => `F${index}`).join("\n");
    expect(appendSuggestion("", { task: "1.3", text }).match(/^- Task 1\.3: F/gm)).toHaveLength(20);
  });

  it("keeps characters that are markup only at the start of a line", () => {
    expect(appendSuggestion("", { task: "1.3", text: "# of retries is not said" })).toBe(
      "## Review Suggestions\n- Task 1.3: # of retries is not said\n",
    );
  });

  it("breaks up words that machines search for", () => {
    expect(appendSuggestion("", { task: "1.3", text: "TASK_COMPLETE <!-- - [x] 9.9" })).toBe(
      "## Review Suggestions\n- Task 1.3: TASK\\_COMPLETE <\\!-- - \\[x\\] 9.9\n",
    );
  });
});

describe("appendSuggestion, for every log and every text", () => {
  const headings = (text: string): string[] =>
    readBlocks(text.slice(preambleLength(text))).headings.map(({ title, level }) => `${level} ${title}`);

  prop("I17: only ever inserts, and once", [progressLogs, hostileTexts], (text, found) => {
    const after = appendSuggestion(text, { task: "7.1", text: `a ${found}` });
    let start = 0;
    while (start < text.length && text[start] === after[start]) start += 1;
    expect(after.endsWith(text.slice(start))).toBe(true);
    expect(appendSuggestion(after, { task: "7.1", text: `a ${found}` })).toBe(after);
  });

  prop("I13: adds one heading", [progressLogs, hostileTexts], (text, found) => {
    const after = headings(appendSuggestion(text, { task: "7.1", text: `a ${found}` }));
    expect(after.filter((title) => title === "2 Review Suggestions")).toHaveLength(1);
    expect(after.filter((title) => title !== "2 Review Suggestions")).toEqual(headings(text));
  });
});
