import { describe, expect, it } from "vitest";
import { hashText } from "../../src/model/hash-text.ts";

describe("hashText", () => {
  // Published values of FNV-1a with 32 bits.
  it.each([
    ["", "811c9dc5"],
    ["a", "e40c292c"],
    ["foobar", "bf9cf968"],
  ])("of %j is %s", (text, hash) => {
    expect(hashText(text)).toBe(hash);
  });

  it("has eight digits, zeros in front included", () => {
    expect(hashText("task 20")).toBe("00b24756");
  });
});
