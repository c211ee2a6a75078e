import { describe, expect, it } from "vitest";
import { writeRealityAfter } from "../../../src/markdown/progress/reality-check.ts";
import { undoProgress } from "../../../src/markdown/undo/undo-log.ts";

const before = "## Reality Check (BEFORE)\n**Reproduction command**: `npm test`\n**Exit code**: 1";
const check = { command: "npm test", exitCode: 0 };
const nothing = { passed: [], tried: [], suggestions: [], shipped: [], reality: [check] };
const written = (log: string): string => writeRealityAfter(log, { ...check, output: "12 passed\n```\n" });

describe("undoProgress, for a reality check", () => {
  it.each([
    ["at the end", `# P\n\n${before}\n`],
    ["at the end of an unfinished line", `# P\n\n${before}`],
    ["between sections", `# P\n\n${before}\n\n## Learnings\n- One\n`],
    ["with other line ends", `# P\n\n${before}\n\n## Learnings\n- One\n`.replaceAll("\n", "\r\n")],
    ["ahead of a section that is left open", `# P\n\n${before}\n\`\`\`text\nnever closed\n`],
  ])("removes the result of a reality check %s, byte for byte", (_, log) => {
    expect(written(log)).not.toBe(log);
    expect(undoProgress(written(log), nothing)).toEqual({ after: log, removed: ["## Reality Check (AFTER)"] });
  });

  it.each([
    ["of another command", written(before).replaceAll("npm test", "make")],
    ["with another end", written(before).replace("code**: 0", "code**: 2")],
    ["in the words of a person", `${before}\n\n## Reality Check (AFTER)\nAll is well.\n`],
    ["that a person has written into", written(before).replace("**Verdict**: PASS", "**Verdict**: PASS\nMine")],
    ["that is missing", "# P\n"],
  ])("keeps one %s", (_, log) => {
    expect(undoProgress(log, nothing)).toEqual({ after: log, removed: [] });
  });
});
