import { describe, expect, it } from "vitest";
import { spokenLines } from "../../src/parse/spoken-lines.ts";

describe("spokenLines", () => {
  it("leaves out fences and quotes", () => {
    expect(spokenLines("Done.\n```\nlog\n```\n> quoted\n    indented\nTASK_COMPLETE")).toEqual([
      "Done.",
      "    indented",
      "TASK_COMPLETE",
    ]);
  });
});
