import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clamp } from "../../src/model/clamp.ts";
import { prop } from "../support/prop.ts";

describe("clamp", () => {
  it.each([
    ["abc", 3, "abc"],
    ["abcd", 3, "abc"],
    ["😀😀😀", 2, "😀😀"],
    ["a😀😀", 3, "a😀😀"],
    ["abc", 0, ""],
  ])("cuts %j to %i code points", (text, max, cut) => {
    expect(clamp(text, max)).toBe(cut);
  });
});

describe("clamp, for every text", () => {
  prop(
    "I19 it is the first code points, none torn",
    [fc.string({ unit: "binary" }), fc.nat({ max: 12 })],
    (text, max) => {
      expect(clamp(text, max)).toBe([...text].slice(0, max).join(""));
    },
  );
});
