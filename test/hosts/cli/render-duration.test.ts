import { describe, expect, it } from "vitest";
import { renderDuration } from "../../../src/wording/render-time.ts";

describe("renderDuration", () => {
  it.each([
    [0, "0ms"],
    [999, "999ms"],
    [1000, "1s"],
    [59_999, "59s"],
    [60_000, "1m"],
    [192_000, "3m 12s"],
    [1_800_000, "30m"],
    [7_500_000, "2h 5m"],
    [7_200_000, "2h"],
  ])("renders %i ms as %s", (ms, text) => {
    expect(renderDuration(ms)).toBe(text);
  });
});
