import { describe, expect, it } from "vitest";
import { readPlan } from "../../src/markdown/document/plan-document.ts";
import { findPrPhase } from "../../src/markdown/find-pr-phase.ts";
import { lintPlan } from "../../src/markdown/lint-plan.ts";

const find = (text: string) => findPrPhase(text, readPlan(text));
const tasks = "- [x] 5.1 Create\n- [ ] 5.2 Watch\n";

describe("findPrPhase", () => {
  it.each([
    "## Phase 5: PR Lifecycle",
    "## Phase 4: PR Lifecycle (Continuous Validation)",
    "### PR Lifecycle (Continuous Validation)",
    "# phase 11 - pr lifecycle",
  ])("recognizes %j, and its tasks", (heading) => {
    const text = `- [ ] 1.1 A\n\n${heading}\n\n#### Details\n\n${tasks}`;
    const title = heading.replace(/^#+ /, "");
    expect(find(text)).toEqual({ inside: ["5.1", "5.2"], line: 3, phase: { title, tasks: 2, open: ["5.2"] } });
    expect(find(`${text}\n${heading.replace(/ .*/, " Next")}\n\n- [ ] 6.1 B\n`)?.phase.open).toEqual(["5.2"]);
  });

  it.each([
    "## Phase 5: Release",
    "## Restore the PR Lifecycle loop",
    "A PR Lifecycle is no heading",
    "```\n## Phase 5: PR Lifecycle\n```",
  ])("finds none in %j", (text) => {
    expect(find(`${text}\n\n${tasks}`)).toBeNull();
  });

  it("is a finding of lint at its heading", () => {
    const told = (text: string) => lintPlan(text).filter(({ rule }) => rule === "pr-lifecycle");
    expect(told(`## PR Lifecycle\n\n${tasks}`)).toEqual([
      {
        rule: "pr-lifecycle",
        severity: "warning",
        line: 1,
        message:
          'Without `--pull-request`, no pull request is created or watched: in "PR Lifecycle" only the steps with a box are done',
        hint: "Write these steps as tasks, or do them yourself",
      },
    ]);
    const message = expect.stringMatching(/ nothing is done, as it has no task$/);
    expect(told(`${tasks}\n## PR Lifecycle\n`)).toMatchObject([{ line: 4, message }]);
    expect(told(tasks)).toEqual([]);
    expect(told("## PR Lifecycle\n\n- [x] 5.1 Open it\n")).toEqual([]);
  });
});
