import { expect, test } from "vitest";
import { latest } from "../../src/model/latest.ts";

test("a cache drops the least recently used value", () => {
  const kept = latest<number>(2);
  kept.set("a", 1);
  kept.set("b", 2);
  expect(kept.get("a")).toBe(1);
  kept.set("c", 3);
  expect(["a", "b", "c"].map((key) => kept.get(key))).toEqual([1, undefined, 3]);
});

test("a cache counts a value that is set again once", () => {
  const kept = latest<number>(2);
  kept.set("a", 1);
  kept.set("b", 2);
  kept.set("a", 3);
  expect(["a", "b"].map((key) => kept.get(key))).toEqual([3, 2]);
});
