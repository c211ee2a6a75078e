import { describe, expect, it } from "vitest";
import { parseFailureHeading } from "../../src/parse/parse-failure-heading.ts";

describe("parseFailureHeading", () => {
  it.each([
    ["Task 1.3: Add failure parser FAILED", "1.3"],
    ["Task 1.3.1: [FIX 1.3] Fix: File not found FAILED", "1.3.1"],
    ["Task V4: FAILED", "V4"],
    ["Task T001 FAILED", "T001"],
    ["Task VE-BROWSER: run it FAILED", "VE-BROWSER"],
    ["**Task 2.18.7a: name FAILED**", "2.18.7a"],
    ["Task **1.3**: name **FAILED**", "1.3"],
    ["Task [1.3]: name FAILED", "1.3"],
    ["### ❌ Task 1.3 — name FAILED ❌", "1.3"],
    ["- Task 1.3: name FAILED.", "1.3"],
    ["  Task 1.3: name FAILED (attempt 2)", "1.3"],
    ["Task 1.3: name (FAILED)", "1.3"],
    ["Task 1.3: name FAILED: no such file", "1.3"],
    ["Task 1.3: name FAILED - no such file", "1.3"],
    ["Task 1.3: Handle FAILED blocks FAILED", "1.3"],
  ])("reads %j as a failure of %s", (line, id) => {
    expect(parseFailureHeading(line)).toBe(id);
  });

  it.each([
    "",
    "FAILED",
    "Task FAILED",
    "Task FAILED: why",
    `Task ${"1".repeat(80)}FAILED`,
    "Task 1.3: Add failure parser",
    "Task 1.3: Add failure parser failed",
    "Task 1.3: Handle FAILED blocks",
    "Task 1.3: Rename UNFAILED",
    "Task 1.3 was marked FAILED",
    "Tasks 1.3: name FAILED",
    "The Task 1.3: name FAILED",
    "`Task 1.3: name FAILED`",
    "> Task 1.3: name FAILED",
  ])("does not read %j as one", (line) => {
    expect(parseFailureHeading(line)).toBeNull();
  });
});
