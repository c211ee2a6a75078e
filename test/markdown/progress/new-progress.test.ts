import { describe, expect, it } from "vitest";
import { newProgress } from "../../../src/markdown/progress/append-entry.ts";

describe("newProgress", () => {
  it.each([
    ["demo", "# Progress: demo"],
    ["/home/me/specs/demo/", "# Progress: demo"],
    ["a *b* [x]", "# Progress: a \\*b* \\[x\\]"],
    ["1. setup", "# Progress: 1. setup"],
    ["", "# Progress: "],
  ])("names the spec %j", (spec, title) => {
    expect(newProgress(spec)).toBe(`${title}\n\n## Completed Tasks\n\n## Learnings\n`);
  });
});
