import { describe, expect, it } from "vitest";
import { outdent } from "../../../src/markdown/text/line-ending.ts";

describe("outdent", () => {
  it.each([
    ["    a b", 2, "  a b"],
    [" a", 2, "a"],
    [" \ta", 3, "\ta"],
    ["   ", 2, " "],
    ["    ", 2, "  "],
    ["  ", 4, ""],
    ["", 2, ""],
    ["  a", 0, "  a"],
  ])("removes blanks from %j, at most %i", (line, width, left) => {
    expect(outdent(line, width)).toBe(left);
  });
});
