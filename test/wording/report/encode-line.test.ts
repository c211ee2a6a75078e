import { describe, expect, it } from "vitest";
import { encodeLine } from "../../../src/wording/report/encode-line.ts";

describe("encodeLine", () => {
  it.each([
    ["# Tasks\nare missing", undefined, "\\# Tasks are missing"],
    ["# Tasks\nare missing", "Last error:", "Last error: # Tasks are missing"],
    ["Promise<string>", "**Task:**", "**Task:** Promise\\<string>"],
    [" \u200b\n", "Reported status:", "Reported status:"],
    [" \u200b\n", undefined, ""],
  ])("writes %j behind the label %j as %j", (text, label, expected) => {
    expect(encodeLine(text, label)).toBe(expected);
  });
});
