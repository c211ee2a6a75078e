import { describe, expect, it } from "vitest";
import { contentEnd, countEndings, dominantEnding, trimBlank } from "../../../src/markdown/text/line-ending.ts";

describe("dominantEnding", () => {
  it.each([
    ["# Tasks", "\n"],
    ["# Tasks\n\n- [ ] 1.1 A\r\n", "\n"],
    ["# Tasks\r\n\r\n- [ ] 1.1 A\n", "\r\n"],
    ["# Tasks\r\n\r\r- [ ] 1.1 A", "\r"],
    ["# Tasks\r\r- [ ] 1.1 A\n", "\r"],
    ["# Tasks\r\n- [ ] 1.1 A\n", "\n"],
    ["# Tasks\r\n- [ ] 1.1 A\r", "\r\n"],
    ["# Tasks\n- [ ] 1.1 A\r", "\n"],
  ])("of %j is %j", (text, ending) => {
    expect(dominantEnding(countEndings(text))).toBe(ending);
  });
});

describe("contentEnd", () => {
  it.each([
    ["- [ ] 1.1 A \t\r\n\n", 0, 16, 11],
    ["- [ ] 1.1 A", 0, 11, 11],
    ["a    b", 2, 5, 2],
    ["   ", 0, 3, 0],
  ])("of %j from %i to %i is %i", (text, start, end, expected) => {
    expect(contentEnd(text, start, end)).toBe(expected);
  });
});

describe("trimBlank", () => {
  it.each([
    ["\t \r\nRun the tests\n\t", "Run the tests"],
    ["\u00a0Run\tthe tests\u2028", "\u00a0Run\tthe tests\u2028"],
    [" \t\n", ""],
    ["", ""],
  ])("makes %j %j", (text, expected) => {
    expect(trimBlank(text)).toBe(expected);
  });
});
