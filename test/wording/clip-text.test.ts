import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clipText } from "../../src/wording/clip-text.ts";
import { prop } from "../support/prop.ts";

describe("clipText", () => {
  it.each([
    ["abc", 3, "abc", 3],
    ["abcd", 3, "ab…", 3],
    ["abc", 0, "", 0],
    ["abc", -5, "", 0],
    ["", 0, "", 0],
    ["日本語", 6, "日本語", 6],
    ["日本語", 5, "日本…", 5],
    ["日本語", 4, "日…", 3],
    ["e\u0301a", 2, "e\u0301a", 2],
  ])("cuts %j to %i columns", (text, columns, clipped, width) => {
    expect(clipText(text, columns)).toEqual({ text: clipped, width });
  });

  it("looks no further than it shows", () => {
    const start = process.cpuUsage();
    expect(clipText("x".repeat(10_000_000), 3).text).toBe("xx…");
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(500);
  });

  prop(
    "never exceeds the columns, for every text",
    [fc.string({ unit: "grapheme" }), fc.nat(20)],
    (text, columns) => clipText(text, columns).width <= columns,
  );
});
