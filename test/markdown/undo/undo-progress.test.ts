import { describe, expect, it } from "vitest";
import { type LoggedLines, undoProgress } from "../../../src/markdown/undo/undo-log.ts";

const lines = (...all: string[]): string => `${all.join("\n")}\n`;
const none: LoggedLines = { passed: [], tried: [], suggestions: [], shipped: [], reality: [] };
const run: LoggedLines = {
  passed: [
    { task: "1.1", title: "First", commit: "abc1234" },
    { task: "1.2", title: "Use [x]", commit: null },
  ],
  tried: ["1.2"],
  suggestions: [{ task: "1.1", text: "Name it\nTest [it](now)" }],
  shipped: [null, 7],
  reality: [],
};
const log = lines(
  "# Progress: spec",
  "",
  "## Completed Tasks",
  "- [x] 1.1 First - abc1234",
  "- [x] 1.2 Use \\[x\\]",
  "- [x] 1.3 By hand",
  "",
  "## Fix Task History",
  "- Task 1.2: 1 fix attempted (1.2.1) - Final: PASS",
  "",
  "## Review Suggestions",
  "- Task 1.1: Name it",
  "- Task 1.1: Test \\[it](now)",
  "",
  "## Pull Request",
  "- PR 7: https://forge.example/7",
  "- PR: waits for a person: there is nothing to push",
  "",
  "## Learnings",
  "- Mind the gap",
);
const without = lines(
  "# Progress: spec",
  "",
  "## Completed Tasks",
  "- [x] 1.3 By hand",
  "",
  "## Learnings",
  "- Mind the gap",
);

describe("undoProgress", () => {
  it.each([
    ["LF", (text: string) => text],
    ["CRLF", (text: string) => text.replaceAll("\n", "\r\n")],
    ["CR", (text: string) => text.replaceAll("\n", "\r")],
    ["other bullets", (text: string) => text.replace(/^-/gm, "*")],
  ])("removes the lines of a run, and the sections that only a run writes: %s", (_, change) => {
    const { after, removed } = undoProgress(change(log), run);
    expect(after).toBe(change(without));
    expect(removed.map((line) => line.slice(2))).toEqual([
      "[x] 1.1 First - abc1234",
      "[x] 1.2 Use \\[x\\]",
      "Task 1.2: 1 fix attempted (1.2.1) - Final: PASS",
      "Task 1.1: Name it",
      "Task 1.1: Test \\[it](now)",
      "PR 7: https://forge.example/7",
      "PR: waits for a person: there is nothing to push",
    ]);
  });

  it("does not change a log without a line of the run", () => {
    for (const text of ["", "# Progress: spec\n", without]) {
      expect(undoProgress(text, run)).toEqual({ after: text, removed: [] });
    }
    expect(undoProgress(log, none)).toEqual({ after: log, removed: [] });
  });

  it("keeps the heading of completed tasks in every section that has it", () => {
    const text = lines(
      "## Completed Tasks",
      "- [x] 1.1 First - abc1234",
      "",
      "## Completed Tasks",
      "- [x] 1.2 Use \\[x\\]",
    );
    expect(undoProgress(text, run).after).toBe(lines("## Completed Tasks", "", "## Completed Tasks"));
  });

  it.each([
    ["2 fixes attempted (1.2.1 superseded, 1.2.2) - Final: PASS", true],
    ["1 fix attempted (1.2.1) - Final: FAIL (max limit)", true],
    ["1 fix attempted (1.2.1) - Final: done by hand", true],
    ["1 fix attempted (1.2.1) - Final: superseded", true],
    ["0 fixes attempted - Final: SKIPPED", true],
    ["0 fixes attempted - Final: WAITING", true],
    ["1 fix attempted (1.2.1) - Final: unknown", false],
    ["ask the author - Final: PASS", false],
  ])("recognizes its line of a repaired task by its form: %s", (told, isOwn) => {
    const text = lines("# Log", "", "## Fix Task History", `- Task 1.2: ${told}`);
    expect(undoProgress(text, run).after).toBe(isOwn ? "# Log\n" : text);
  });

  it.each([
    [
      "## Fix Task History",
      "- Task 1.2: 1 fix attempted (1.2.1) - Final: PASS",
      "- Task 1.3: 1 fix attempted (1.3.1) - Final: PASS",
    ],
    ["## Review Suggestions", "- Task 1.1: Name it", "- Task 1.2: Name it"],
    ["## Completed Tasks", "- [x] 1.1 First - abc1234", "- [x] 1.1 First - def5678"],
  ])("keeps in %s what others have written", (heading, own, other) => {
    expect(undoProgress(lines(heading, own, other), run).after).toBe(lines(heading, other));
  });

  it("removes its lines only from its own sections", () => {
    const text = lines("## Learnings", "- [x] 1.1 First - abc1234", "- Task 1.1: Name it");
    expect(undoProgress(text, run).after).toBe(text);
  });
});
