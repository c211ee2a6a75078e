import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type KeptText, spliceOf, textOf, withSplice } from "../../src/model/splice.ts";
import { prop } from "../support/prop.ts";

describe("the splice between two texts", () => {
  it.each([
    ["", "", { from: 0, cut: 0, text: "" }],
    ["", "all", { from: 0, cut: 0, text: "all" }],
    ["- [ ] 1.1", "- [x] 1.1", { from: 3, cut: 1, text: "x" }],
    ["aa", "aaa", { from: 2, cut: 0, text: "a" }],
    ["one two", "one", { from: 3, cut: 4, text: "" }],
  ])("is the difference between %j and %j", (before, after, splice) => {
    expect(spliceOf(before, after)).toEqual(splice);
  });

  it("is found in long texts", () => {
    const [head, tail] = ["a".repeat(9000), "b".repeat(9000)];
    expect(spliceOf(`${head} ${tail}`, `${head}x${tail}`)).toEqual({ from: 9000, cut: 1, text: "x" });
  });

  const text = fc.string({ unit: fc.constantFrom("a", "b", "\u{1F600}", "\u{1F601}") });
  prop("transforms one text into the other", [text, text], (before, after) => {
    expect(textOf(withSplice({ text: before, later: [] }, spliceOf(before, after)))).toBe(after);
  });

  prop("keeps a text through any number of changes", [fc.array(text, { minLength: 1, maxLength: 600 })], (texts) => {
    let kept: KeptText | null = null;
    let known = "";
    for (const next of texts) {
      kept = withSplice(kept, spliceOf(known, next));
      known = next;
      expect(kept.later.length).toBeLessThan(256);
    }
    expect(kept && textOf(kept)).toBe(known);
  });

  it("rebuilds a text after many changes", () => {
    let kept: KeptText = { text: "0", later: [] };
    for (let at = 0; at < 300; at += 1) kept = withSplice(kept, { from: 0, cut: 1, text: String(at % 10) });
    expect([textOf(kept), kept.text, kept.later.length]).toEqual(["9", "5", 44]);
  });
});
