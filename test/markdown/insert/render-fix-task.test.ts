import { describe, expect, it } from "vitest";
import type { SiblingStyle } from "../../../src/markdown/insert/read-sibling.ts";
import { renderFixTask } from "../../../src/markdown/insert-fix-task.ts";
import type { FixTask } from "../../../src/model/failure.ts";
import { sampleFix } from "../../support/sample-fix.ts";

const style: SiblingStyle = { prefix: "", marker: "-", gap: " ", indent: 2, bullet: "-", writeId: (id) => id };
const fix: FixTask = {
  ...{ ...sampleFix, files: "src/parser.ts", verify: "npm test" },
  commit: "fix(parser): address missing file from task 1.3",
};
const linesOf = (part: Partial<FixTask>): readonly string[] => renderFixTask({ ...fix, ...part }, style, {}).lines;

describe("renderFixTask", () => {
  it.each<[string, Partial<FixTask>, string]>([
    ["summary", { summary: "- Expected 1" }, "- [ ] 1.3.1 [FIX 1.3] Fix: - Expected 1"],
    ["error", { error: "+ Received 2" }, "  - **Do**: Address the error: + Received 2"],
    ["error in the last step", { error: "+ Received 2" }, "    3. Implement fix for: + Received 2"],
    ["attempted fix", { attemptedFix: "1. Mocked it" }, "    1. Analyze the failure: 1. Mocked it"],
    ["file", { files: "1. src/a.ts" }, "  - **Files**: 1. src/a.ts"],
    [
      "quoted error",
      { error: "+ Received 2", doneWhen: "" },
      '  - **Done when**: Error "+ Received 2" no longer occurs',
    ],
  ])("leaves a mark that begins no list at the start of the %s as it is", (_, part, line) => {
    expect(linesOf(part)).toContain(line);
  });

  it("escapes a backslash that would take the quotation mark behind the error with it", () => {
    expect(linesOf({ error: "Unexpected end behind \\", doneWhen: "" })).toContain(
      '  - **Done when**: Error "Unexpected end behind \\\\" no longer occurs',
    );
  });

  it.each([
    ["a list", "- src/a.ts\n- src/b.ts", "src/a.ts; src/b.ts"],
    ["a list with blank lines", "* src/a.ts\n \n* src/b.ts", "src/a.ts; src/b.ts"],
    ["an indented list", "+  src/a.ts\n  +\tsrc/b.ts", "src/a.ts; src/b.ts"],
    ["one line", "src/a.ts, src/b.ts", "src/a.ts, src/b.ts"],
    ["a name with a dash", "docs/How to - a guide.md", "docs/How to - a guide.md"],
  ])("writes files that come as %s on one line", (_, files, written) => {
    expect(linesOf({ files })).toContain(`  - **Files**: ${written}`);
  });
});
