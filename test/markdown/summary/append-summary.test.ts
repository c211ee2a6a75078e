import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { preambleLength } from "../../../src/markdown/document/cut-chunks.ts";
import { appendSummary } from "../../../src/markdown/summary/append-summary.ts";
import { readBlocks } from "../../../src/markdown/tasks/read-blocks.ts";
import type { SummaryEntry } from "../../../src/model/stuck-report.ts";
import { hostileTexts, progressLogs } from "../../support/markdown-arbitraries.ts";
import { prop } from "../../support/prop.ts";

const retried: SummaryEntry = { kind: "retried", task: "1.3", adjustment: "use npm ci" };
const skipped: SummaryEntry = { kind: "skipped", task: "1.4", justification: "out of scope", by: "operator" };

describe("appendSummary", () => {
  it.each<[SummaryEntry, string]>([
    [retried, "[Node Repair - RETRY] Task 1.3: use npm ci - resolved"],
    [
      { kind: "exhausted", task: "1.3", attempts: 2, level: null },
      "[Node Repair - RETRY] Task 1.3: 2 attempts exhausted - escalated to user",
    ],
    [
      { kind: "decomposed", task: "1.3", parts: 3, leftOut: 0 },
      "[Node Repair - DECOMPOSE] Task 1.3 split into 3 sub-tasks - all passed",
    ],
    [skipped, "[Node Repair - PRUNE] Task 1.4 skipped: out of scope"],
  ])("writes the line of the source's format: %j", (entry, line) => {
    const [title, section] = appendSummary("", entry).split("\n\n");
    expect([title, section?.trim()]).toEqual(["# Summary", `## Deviations from Plan\n- ${line}`]);
  });

  it("writes a skip under both headings", () => {
    const line = "- [Node Repair - PRUNE] Task 1.4 skipped: out of scope";
    expect(appendSummary("", skipped)).toBe(
      `# Summary\n\n## Deviations from Plan\n${line}\n\n## Issues Encountered\n${line}\n`,
    );
  });

  it("adds to existing content, with its line endings and bullets", () => {
    const summary = "# Phase 1\r\n\r\n## Issues Encountered\r\nNone\r\n\r\n## Next\r\n";
    const once = appendSummary(summary, skipped);
    const line = "[Node Repair - PRUNE] Task 1.4 skipped: out of scope";
    expect(once).toBe(
      `# Phase 1\r\n\r\n## Deviations from Plan\r\n- ${line}\r\n\r\n## Issues Encountered\r\nNone\r\n\r\n- ${line}\r\n\r\n## Next\r\n`,
    );
    const starred = "## Deviations from Plan\n* One\n";
    expect(appendSummary(starred, retried)).toBe(`${starred}* [Node Repair - RETRY] Task 1.3: use npm ci - resolved\n`);
  });

  it("adds a line once, whatever its bullet, and another with the same prefix", () => {
    const once = appendSummary("", skipped);
    expect(appendSummary(once, skipped)).toBe(once);
    expect(appendSummary(once.replaceAll("\n- ", "\n  * "), skipped)).toBe(once.replaceAll("\n- ", "\n  * "));
    const other = appendSummary(once, { ...skipped, justification: "out of" });
    expect(other.split("\n").filter((line) => line.endsWith("skipped: out of"))).toHaveLength(2);
  });

  it("adds no line that exists without a bullet", () => {
    const summary = "## Deviations from Plan\n\n[Node Repair - RETRY] Task 1.3: use npm ci - resolved\n";
    expect(appendSummary(summary, retried)).toBe(summary);
  });

  it.each<[SummaryEntry, string]>([
    [
      { kind: "decomposed", task: "1.3", parts: 3, leftOut: 1 },
      "DECOMPOSE] Task 1.3 split into 3 sub-tasks - 2 passed, 1 left out",
    ],
    [
      { kind: "exhausted", task: "1.3", attempts: 2, level: "pivot" },
      "RETRY] Task 1.3: 2 attempts exhausted - PIVOT followed",
    ],
    [
      { kind: "exhausted", task: "1.3", attempts: 2, level: "research" },
      "RETRY] Task 1.3: 2 attempts exhausted - RESEARCH followed",
    ],
    [{ ...skipped, by: "person" }, "[Decision - SKIP] Task 1.4 skipped: out of scope"],
  ])("states the outcome of %o", (entry, line) => {
    expect(appendSummary("", entry)).toContain(line);
  });

  it("adds the missing second line of a skip", () => {
    const whole = appendSummary("", skipped);
    expect(appendSummary(whole.slice(0, whole.indexOf("\n## Issues")), skipped)).toBe(whole);
  });

  it("joins a text into one line and keeps 500 characters", () => {
    const long = { ...retried, task: "1".repeat(300), adjustment: `a\n- [x] 9.9 TASK_COMPLETE ${"b".repeat(600)}` };
    const line = appendSummary("", long).split("\n")[3] ?? "";
    expect(line).toMatch(/: a - \\\[x\\\] 9\.9 TASK\\_COMPLETE b+ - resolved$/);
    expect(line.length).toBeLessThan(900);
  });
});

const entries: fc.Arbitrary<SummaryEntry> = fc.oneof(
  fc.record({ kind: fc.constant("retried" as const), task: fc.constant("7.1"), adjustment: hostileTexts }),
  fc.record({
    kind: fc.constant("skipped" as const),
    task: fc.constant("7.1"),
    justification: hostileTexts,
    by: fc.constantFrom("operator" as const, "person" as const),
  }),
);
const summaries = progressLogs.map((log) =>
  log.replaceAll("Learnings", "Issues Encountered").replaceAll("Fix Task History", "Deviations from Plan"),
);

describe("appendSummary, for every summary and every text", () => {
  const headings = (text: string): string[] =>
    readBlocks(text.slice(preambleLength(text))).headings.map(({ title, level }) => `${level} ${title}`);
  const ours = new Set(["1 Summary", "2 Deviations from Plan", "2 Issues Encountered"]);

  prop("I17: only ever inserts, and once", [summaries, entries], (text, entry) => {
    const after = appendSummary(text, entry);
    let kept = 0;
    for (const character of after) if (character === text[kept]) kept += 1;
    expect(kept).toBe(text.length);
    expect(appendSummary(after, entry)).toBe(after);
  });

  prop("I13: adds no other heading than its own", [summaries, entries], (text, entry) => {
    const others = (markdown: string): string[] => headings(markdown).filter((title) => !ours.has(title));
    expect(others(appendSummary(text, entry))).toEqual(others(text));
  });
});
