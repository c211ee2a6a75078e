import { describe, expect, it } from "vitest";
import { preambleLength } from "../../../src/markdown/document/cut-chunks.ts";
import { appendCompleted, newProgress } from "../../../src/markdown/progress/append-entry.ts";
import { appendFixHistory, historyLine, undoneIn } from "../../../src/markdown/progress/append-fix-history.ts";
import { readBlocks } from "../../../src/markdown/tasks/read-blocks.ts";
import { hostileTexts, progressLogs } from "../../support/markdown-arbitraries.ts";
import { prop } from "../../support/prop.ts";

const history = { task: "1.2", fixes: ["1.2.1", "1.2.2"], final: "PASS" } as const;
const lines = (...all: string[]): string => `${all.join("\n")}\n`;

describe("appendFixHistory", () => {
  const before = lines(
    "## Completed Tasks",
    "- [x] 1.1 Task A - abc123",
    "- [x] 1.2 Task B - def456",
    "",
    "## Learnings",
    "- Some learning",
  );
  const after = lines(
    "## Completed Tasks",
    "- [x] 1.1 Task A - abc123",
    "- [x] 1.2 Task B - def456",
    "",
    "## Fix Task History",
    "- Task 1.2: 2 fixes attempted (1.2.1, 1.2.2) - Final: PASS",
    "",
    "## Learnings",
    "- Some learning",
  );

  it("writes the source's example byte for byte", () => {
    expect(appendFixHistory(before, history)).toBe(after);
  });

  it("contains the text that it writes", () => {
    expect(after).toContain(`\n- ${historyLine(history)}\n`);
  });

  it("writes it with the line endings of the log", () => {
    const crlf = (text: string): string => text.replaceAll("\n", "\r\n");
    expect(appendFixHistory(crlf(before), history)).toBe(crlf(after));
  });

  it("adds to the existing section", () => {
    const final = "FAIL (max limit)";
    expect(appendFixHistory(after, { task: "1.3", fixes: ["1.3.1"], final })).toBe(
      after.replace("PASS\n", "PASS\n- Task 1.3: 1 fix attempted (1.3.1) - Final: FAIL (max limit)\n"),
    );
  });

  it.each([
    [[], "3 fixes attempted (1.2.1, 1.2.2, 1.2.10)"],
    [["1.2.1"], "3 fixes attempted (1.2.1 superseded, 1.2.2, 1.2.10)"],
    [["1.2.2", "1.2.1", "1.3.1"], "3 fixes attempted (1.2.1 superseded, 1.2.2 superseded, 1.2.10)"],
  ])("names superseded fixes: %j", (superseded, told) => {
    const fixes = ["1.2.1", "1.2.2", "1.2.10"];
    expect(appendFixHistory("", { ...history, fixes, superseded })).toBe(
      lines("## Fix Task History", `- Task 1.2: ${told} - Final: PASS`),
    );
  });

  it("returns the same text if the line of the task already exists", () => {
    expect(appendFixHistory(after, history)).toBe(after);
    expect(appendFixHistory(after, { ...history, fixes: [] })).toBe(after);
  });

  it("keeps the line of a task in other words unchanged", () => {
    for (const line of ["- Task 1.2: ask the author", "- Task 1.2: 1 fix attempted (1.2.1) - Final: unknown"]) {
      const log = lines("## Fix Task History", line);
      expect(appendFixHistory(log, history)).toBe(log);
    }
  });

  it("keeps the line of a passed task that is done manually, and writes none for a task without fixes", () => {
    expect(appendFixHistory(after, { ...history, final: "done by hand" })).toBe(after);
    for (const final of ["PASS", "done by hand", "superseded"] as const) {
      expect(appendFixHistory(before, { task: "1.2", fixes: [], final })).toBe(before);
    }
  });

  it("reports a task that passed and failed again as failed", () => {
    expect(appendFixHistory(after, { ...history, fixes: ["1.2.3"], final: "FAIL (max limit)" })).toBe(
      after.replace(
        "2 fixes attempted (1.2.1, 1.2.2) - Final: PASS",
        "1 fix attempted (1.2.3) - Final: FAIL (max limit)",
      ),
    );
  });

  it("omits a task without fixes", () => {
    for (const final of ["SKIPPED", "WAITING", "PASS"] as const) {
      expect(appendFixHistory("", { task: "1.2", fixes: [], final })).toBe("");
    }
  });

  it("keeps the fixes of a line if none are given", () => {
    const failed = appendFixHistory(before, { ...history, final: "FAIL (max limit)" });
    expect(appendFixHistory(failed, { ...history, fixes: [] })).toBe(after);
  });

  it("states which tasks are not done", () => {
    const ends = ["PASS", "FAIL (max limit)", "done by hand", "superseded", "WAITING", "SKIPPED"];
    const all = ends.map((end, index) => `- Task 1.${index}: 1 fix attempted (1.${index}.1) - Final: ${end}`);
    expect(undoneIn(lines("## Fix Task History", ...all, "- Task 1.9: a - Final: FAIL (max limit)"))).toEqual([
      "1.1",
      "1.4",
      "1.5",
    ]);
    expect(undoneIn(before)).toEqual([]);
  });

  it.each(["PASS", "done by hand", "superseded"] as const)(
    "replaces the line of a task that a limit stopped: %s",
    (final) => {
      const failed = { ...history, final: "FAIL (max limit)" as const };
      for (const ending of ["\n", "\r\n"]) {
        const log = appendFixHistory(before.replaceAll("\n", ending), failed);
        const other = appendFixHistory(log, { ...failed, task: "1.20", fixes: ["1.20.1"] });
        const fixes = [...history.fixes, "1.2.3"];
        const now = appendFixHistory(other, { ...history, fixes, final });
        expect(now).toBe(
          other.replace(
            "Task 1.2: 2 fixes attempted (1.2.1, 1.2.2) - Final: FAIL (max limit)",
            `Task 1.2: 3 fixes attempted (1.2.1, 1.2.2, 1.2.3) - Final: ${final}`,
          ),
        );
        expect(now).toContain("Task 1.20: 1 fix attempted (1.20.1) - Final: FAIL (max limit)");
        expect(appendFixHistory(now, { ...history, fixes, final })).toBe(now);
      }
    },
  );

  it("writes the section before the first of several Learnings", () => {
    const log = "# P\n\n## Learnings\n\n## Learnings (phase 2)\n";
    expect(appendFixHistory(log, history)).toMatch(/^# P\n\n## Fix Task History\n- Task 1\.2: .*\n\n## Learnings\n/);
  });

  it("writes the section at the end without Learnings", () => {
    expect(appendFixHistory("", history)).toMatch(/^## Fix Task History\n- Task 1\.2: [^\n]*\n$/);
    expect(appendFixHistory("text", history)).toMatch(/^text\n\n## Fix Task History\n- Task/);
    expect(appendFixHistory("text\n\n", history)).toMatch(/^text\n\n## Fix Task History\n- Task/);
  });

  it("does not treat Learnings in a fence as the section", () => {
    const log = "```\n## Learnings\n```\n";
    expect(appendFixHistory(log, history).startsWith(log)).toBe(true);
  });

  it("writes before a fence that is never closed", () => {
    expect(appendFixHistory("# P\n\n```\nopen\n", history)).toMatch(
      /^# P\n\n## Fix Task History\n- .*\n\n```\nopen\n$/,
    );
    expect(appendFixHistory("## Fix Task History\n\n```\nopen\n", history)).toMatch(
      /^## Fix Task History\n- .*\n\n```\n/,
    );
  });
});

describe("appendCompleted", () => {
  const entry = { task: "1.3", title: "Add `parser`", commit: "abc1234" };

  it.each([
    ["## Completed Tasks\n- [x] 1.1 A\n", "## Completed Tasks\n- [x] 1.1 A\n- [x] 1.3 Add `parser` - abc1234\n"],
    ["## Completed Tasks\n* [x] 1.1 A", "## Completed Tasks\n* [x] 1.1 A\n* [x] 1.3 Add `parser` - abc1234"],
    ["## Completed Tasks\n\n## Next\n", "## Completed Tasks\n- [x] 1.3 Add `parser` - abc1234\n\n## Next\n"],
    ["## Completed Tasks\n- a\n  - b\n", "## Completed Tasks\n- a\n  - b\n- [x] 1.3 Add `parser` - abc1234\n"],
    ["## Completed Tasks\n_None_\n", "## Completed Tasks\n_None_\n\n- [x] 1.3 Add `parser` - abc1234\n"],
    ["## completed tasks\n## Next\n", "## completed tasks\n- [x] 1.3 Add `parser` - abc1234\n## Next\n"],
    ["# P\n", "# P\n\n## Completed Tasks\n- [x] 1.3 Add `parser` - abc1234\n"],
    ["# P\n\n## Learnings\n", "# P\n\n## Completed Tasks\n- [x] 1.3 Add `parser` - abc1234\n\n## Learnings\n"],
    [
      "# P\n## Fix Task History\n\n## Learnings\n",
      "# P\n\n## Completed Tasks\n- [x] 1.3 Add `parser` - abc1234\n\n## Fix Task History\n\n## Learnings\n",
    ],
  ])("adds to %j", (before, after) => {
    expect(appendCompleted(before, entry)).toBe(after);
  });

  it.each(["- [x] 1.3 Whatever", "* [X] **1.3** By hand", "- 1.3: done", "- Task 1.3", "  - [x] 1.3"])(
    "adds nothing if %j is there",
    (line) => {
      const log = `## Completed Tasks\n- [x] 1.1 A\n${line}\n`;
      expect(appendCompleted(log, entry)).toBe(log);
    },
  );

  it.each(["- [x] 1.31 Other", "- [x] 1.3.1 Fix", "- [x] 11.3 Other", "```\n- [x] 1.3 In code\n```"])(
    "is not prevented by %j",
    (line) => {
      expect(appendCompleted(`## Completed Tasks\n${line}\n`, entry)).toContain("\n- [x] 1.3 Add");
    },
  );

  it.each([
    ["  ## Learnings\n", "## Completed Tasks\n   - [x] 1.3 Add `parser` - abc1234\n\n  ## Learnings\n"],
    ["## Completed Tasks\nNext\n---\n", "## Completed Tasks\n- [x] 1.3 Add `parser` - abc1234\n\nNext\n---\n"],
    [
      "## Completed Tasks\n<div>\n- a\n\n# B",
      "## Completed Tasks\n<div>\n- a\n\n- [x] 1.3 Add `parser` - abc1234\n\n# B",
    ],
    ["## Completed Tasks\n<div>\n- a", "## Completed Tasks\n<div>\n- a\n\n- [x] 1.3 Add `parser` - abc1234"],
    ["## Completed Tasks\n<!--\n- a", "## Completed Tasks\n- [x] 1.3 Add `parser` - abc1234\n\n<!--\n- a"],
  ])("does not merge with its surroundings in %j", (before, after) => {
    expect(appendCompleted(before, entry)).toBe(after);
  });

  it("omits an unknown commit", () => {
    expect(appendCompleted("", { ...entry, commit: null })).toBe("## Completed Tasks\n- [x] 1.3 Add `parser`\n");
  });

  it("omits an empty title", () => {
    expect(appendCompleted("", { task: "1.3", title: "\u200b", commit: null })).toBe("## Completed Tasks\n- [x] 1.3\n");
  });

  it("keeps characters that are markup only at the start of a line", () => {
    expect(appendCompleted("", { task: "1.3", title: "# of retries", commit: "> abc1234" })).toBe(
      "## Completed Tasks\n- [x] 1.3 # of retries - > abc1234\n",
    );
  });

  it("fills a new log", () => {
    expect(appendCompleted(newProgress("demo"), entry)).toBe(
      "# Progress: demo\n\n## Completed Tasks\n- [x] 1.3 Add `parser` - abc1234\n\n## Learnings\n",
    );
  });
});

describe("a progress log, for every text", () => {
  const fixed = { ...history, task: "8.2" };
  const headings = (text: string): string[] =>
    readBlocks(text.slice(preambleLength(text))).headings.map(({ title }) => title);
  const inserted = (before: string, after: string): string => {
    let start = 0;
    while (start < before.length && before[start] === after[start]) start += 1;
    const end = after.length - (before.length - start);
    return after.slice(end) === before.slice(start) ? after.slice(start, end) : "not an insertion";
  };

  prop("I17: receives only insertions", [progressLogs, hostileTexts, hostileTexts], (log, title, commit) => {
    const first = appendCompleted(log, { task: "7.1", title, commit });
    expect(inserted(log, first)).toContain("[x] 7.1");
    const second = appendFixHistory(first, fixed);
    expect(inserted(first, second)).toContain("Task 8.2:");
  });

  prop("gets a line of a task once", [progressLogs, hostileTexts], (log, title) => {
    const once = appendCompleted(log, { task: "7.1", title, commit: null });
    expect(appendCompleted(once, { task: "7.1", title: "Other", commit: "abc" })).toBe(once);
    const twice = appendFixHistory(once, fixed);
    expect(appendFixHistory(twice, fixed)).toBe(twice);
  });

  prop("I13: gets at most the missing heading", [progressLogs, hostileTexts, hostileTexts], (log, title, commit) => {
    const has = headings(log).includes("Completed Tasks");
    const after = headings(appendCompleted(log, { task: "7.1", title, commit }));
    expect(has ? after : after.toSpliced(after.indexOf("Completed Tasks"), 1)).toEqual(headings(log));
  });

  prop("keeps the history before the learnings", [progressLogs], (log) => {
    const before = headings(log);
    if (before.includes("Fix Task History") || !before.includes("Learnings")) return;
    const after = headings(appendFixHistory(log, fixed));
    const learnings = after.findIndex((title) => title.startsWith("Learnings"));
    expect(after[learnings - 1]).toBe("Fix Task History");
  });
});
