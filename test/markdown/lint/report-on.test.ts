import { describe, expect, it } from "vitest";
import { readPlan } from "../../../src/markdown/document/plan-document.ts";
import { reportOn } from "../../../src/markdown/lint-plan.ts";
import { lintProblem } from "../../../src/model/rule.ts";

const text =
  "- [x] 1 Done\n  - a note\n- [ ] 2 Group\n  - [ ] 2.1 Inner\n- [ ] 3 Later (optional)\n- [ ] 4 Manual: look at it\n";
const opened = { plan: readPlan(text), text };
const on = (line: number, rule: "missing-field" | "open-command" = "missing-field") => lintProblem(rule, line, "", "");

describe("reportOn", () => {
  it("separates warnings about done tasks from all other problems", () => {
    const { problems, done } = reportOn([on(1), on(2), on(3), on(1, "open-command"), on(99)], opened);
    expect(done.map(({ line }) => line)).toEqual([1, 2]);
    expect(problems.map(({ line, rule }) => [line, rule])).toEqual([
      [3, "missing-field"],
      [1, "open-command"],
      [99, "missing-field"],
    ]);
  });

  it("lists delegated tasks: no groups, and no excluded tasks", () => {
    const ids = (optional?: boolean) => reportOn([], opened, optional).delegated.map(({ id }) => id);
    expect(ids()).toEqual(["2.1"]);
    expect(ids(true)).toEqual(["2.1", "3"]);
  });

  it("says whether nothing is left to do", () => {
    const isFinished = (given: string) => reportOn([], { plan: readPlan(given), text: given }).finished;
    expect([text, "- [x] 1 Done\n", "- [ ] 1 Group\n  - [x] 1.1 Inner\n", "None\n"].map(isFinished)).toEqual([
      ...[false, true, true, false],
    ]);
  });
});
