import { describe, expect, it } from "vitest";
import { appendEntry } from "../../../src/markdown/progress/append-entry.ts";
import type { ProgressEntry } from "../../../src/ports/documents.ts";

const log = "# Progress\n\n## Learnings\n";

describe("appendEntry", () => {
  it.each<[ProgressEntry, string, string]>([
    [
      { kind: "completed", task: "1.1", title: "Read", commit: "abc1234" },
      "Completed Tasks",
      "- [x] 1.1 Read - abc1234",
    ],
    [
      { kind: "fixes", task: "1.1", fixes: ["1.1.1"], superseded: [], final: "PASS" },
      "Fix Task History",
      "- Task 1.1: 1 fix attempted (1.1.1) - Final: PASS",
    ],
    [
      { kind: "fixes", task: "1.1", fixes: ["1.1.1", "1.1.2"], superseded: ["1.2.1", "1.1.1"], final: "PASS" },
      "Fix Task History",
      "- Task 1.1: 2 fixes attempted (1.1.1 superseded, 1.1.2) - Final: PASS",
    ],
    [
      { kind: "pull-request", number: 7, text: "https://forge.example/7" },
      "Pull Request",
      "- PR 7: https://forge.example/7",
    ],
    [{ kind: "pull-request", number: null, text: "waits" }, "Pull Request", "- PR: waits"],
    [{ kind: "suggestion", task: "1.1", text: "Name it" }, "Review Suggestions", "- Task 1.1: Name it"],
    [
      { kind: "reality", task: "1.1", command: "npm test", exitCode: 0, output: "" },
      "Reality Check (AFTER)",
      "**Command**: `npm test`",
    ],
  ])("writes %j into its section, once", (entry, heading, line) => {
    const after = appendEntry(log, entry);
    expect(after).toContain(`\n## ${heading}\n${line}\n`);
    expect(appendEntry(after, entry)).toBe(after);
  });
});
