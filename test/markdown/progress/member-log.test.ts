import { describe, expect, it } from "vitest";
import { mergeProgress } from "../../../src/markdown/progress/merge-progress.ts";

const log = "## Learnings\n- x\n";

describe("the sections of a member's log", () => {
  it("counts the content below a heading without text as learnings", () => {
    expect(mergeProgress(log, "##\n- a\n")).toBe(`${log}- a\n`);
    expect(mergeProgress(log, "## \u200B\n- a\n")).toBe(`${log}- a\n`);
  });

  it("separates headings that differ by more than case", () => {
    expect(mergeProgress("", "## Maße\n- 2 m\n\n## Masse\n- 3 kg\n\n## MASSE\n- 4 kg\n")).toBe(
      "## Maße\n- 2 m\n\n## Masse\n- 3 kg\n- 4 kg\n",
    );
  });

  it("treats headings that differ by backslashes as the same", () => {
    expect(mergeProgress("", "## Use a*b\n- y\n\n## Use a\\*b\n- y\n- z\n")).toBe("## Use a*b\n- y\n- z\n");
  });

  it("writes a heading within a section unchanged, also without text", () => {
    expect(mergeProgress("", "### - a\n- b\n\n###\n- c\n")).toBe("## Learnings\n### - a\n\n- b\n\n###\n\n- c\n");
  });

  it("removes blanks on a blank line of a fence", () => {
    expect(mergeProgress("", "```\na\n  \u200B\n  b\n```\n")).toBe("## Learnings\n```\na\n\n  b\n```\n");
  });
});
