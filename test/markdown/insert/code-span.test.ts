import { describe, expect, it } from "vitest";
import { codeSpan } from "../../../src/markdown/text/encode-text.ts";

describe("codeSpan", () => {
  it.each([
    ["npm test -- parser", "`npm test -- parser`"],
    ["x", "`x`"],
    ["`", "`` ` ``"],
    ["echo `date`", "`` echo `date` ``"],
    ["`date` > built.txt", "`` `date` > built.txt ``"],
    ["echo `date` > built.txt", "``echo `date` > built.txt``"],
    ["a`b", "``a`b``"],
    ["a`", "`` a` ``"],
    ["a `` b", "`a `` b`"],
  ])("writes %j as %j", (value, written) => {
    expect(codeSpan(value)).toBe(written);
  });
});
