import { describe, expect, it } from "vitest";
import { readPlan } from "../../../src/markdown/document/plan-document.ts";
import { findNumberingProblems } from "../../../src/markdown/lint/find-order-problems.ts";

const list = (titles: readonly string[]): string => titles.map((title) => `- [ ] ${title}\n`).join("");
const check = (text: string): string[] =>
  findNumberingProblems(readPlan(text).tasks).map(({ rule, line }) => `${rule} ${line}`);
const checkIds = (ids: string): string[] => check(list(ids.split(" ").map((id) => `${id} Do it`)));

describe("findNumberingProblems", () => {
  it.each([
    ["1.3 1.5 1.4 1.6", ["number-order 3"]],
    ["1.3 1.5 1.4", ["number-order 3"]],
    ["1.2 1.3 1.4 1.1", ["number-order 4"]],
    ["1.5 1.6 1.2 1.7", ["number-order 3"]],
    ["T002 T001", ["number-order 2"]],
    ["2 1", ["number-order 2"]],
    ["1.1 1.01", ["number-order 2"]],
  ])("finds a number that goes back in %s", (ids, found) => {
    expect(checkIds(ids)).toEqual(found);
  });

  it.each([
    "1.1 1.2 2.1 2.2",
    "1.9 1.10 1.11",
    "1.2 1.1a 1.2a",
    "T017 T053 T018 T019",
    "T032 T055 T033 T056 T034",
    "T011 T052 T053 T012 T013",
    "1.1 1.2 1.1",
    "1.5 1.3 1.05",
    "V4 1.1 VE2",
    "VF 1.1",
  ])("reports nothing for %s", (ids) => {
    expect(checkIds(ids)).toEqual([]);
  });

  it("lets numbers restart under another heading, and without ids", () => {
    expect(check("## A\n- [ ] 1.2 x\n\n## B\n- [ ] 1.1 y\n- [ ] no id\n- [ ] another\n")).toEqual([]);
  });

  it("reports the line of the task and what precedes it", () => {
    expect(findNumberingProblems(readPlan(list(["1.2 A", "1.1 B"])).tasks)).toMatchObject([
      {
        severity: "warning",
        message: "Task `1.1` comes after `1.2`; tasks are done in the order in which they are written",
        hint: "Move it to where its number belongs, or give it another number.",
      },
    ]);
  });

  it.each([
    ["4.4.1 [FIX 1.1] F", "unreachable-fix 2"],
    ["1.1a [FIX 1.1] F", "unreachable-fix 2"],
    ["1.1.1a [FIX 1.1] F", "unreachable-fix 2"],
    ["1.1.1.1 [FIX 1.1] F", "unreachable-fix 2"],
  ])("finds that the id of %s is not a fix id of its task", (title, found) => {
    expect(check(list(["1.1 A", title]))).toEqual([found]);
  });

  it("accepts fixes and fixes of fixes after their original", () => {
    const fixes = ["1.1.1 [FIX 1.1] F", "1.1.1.1 [FIX 1.1.1] F", "1.1.2 [FIX 1.1] F"];
    expect(check(list(["1.1 A", ...fixes, "1.2 B"]))).toEqual([]);
    expect(check("- [ ] 1 A\n  - [ ] 1.1 B\n  - [ ] 1.2 C\n- [ ] 1.3 [FIX 1] F\n")).toEqual([]);
  });

  it("takes fixes of any number, in any order", () => {
    expect(check(list(["1.1 A", "1.1.10 [FIX 1.1] F", "1.1.2 [FIX 1.1] F", "1.1.1 [FIX 1.1] F"]))).toEqual([]);
  });

  it("finds misplaced fixes", () => {
    expect(check(list(["1.0 A", "1.1.1 [FIX 1.1] F", "1.1 B"]))).toEqual(["misplaced-fix 2"]);
    expect(check(list(["1.1 A", "1.2 B", "1.1.1 [FIX 1.1] F"]))).toEqual(["misplaced-fix 3"]);
    expect(check(list(["1.1.1 [FIX 1.1] F", "1.1 A"]))).toEqual(["misplaced-fix 1"]);
    expect(check(list(["1.1 A", "1.2 B", "1.1.1 [FIX 1.1] F", "1.1.2 [FIX 1.1] F"]))).toEqual([
      "misplaced-fix 3",
      "misplaced-fix 4",
    ]);
  });

  it("names the fix without an id or in the wrong place, and the remedy", () => {
    const text = list(["1.1 A", "4.4.1 [FIX 1.1] F", "1.2 B", "1.1.1 [FIX 1.1] F"]);
    expect(findNumberingProblems(readPlan(text).tasks)).toMatchObject([
      {
        line: 2,
        message: "Task `4.4.1` is marked as a fix of `1.1`, but its id is not `1.1.` and a number",
        hint: "Give it the id `1.1.1`, or the next number that no task has: fixes are found by their ids.",
      },
      {
        line: 4,
        message: "Task `1.1.1` is a fix of `1.1`, but does not come right after it and its other fixes",
        hint: "Move it to the end of task `1.1`, where the next fix will be written.",
      },
    ]);
  });

  it("leaves a fix without original to the plan's own problems", () => {
    expect(check(list(["1.1 A", "9.1 [FIX 9] F"]))).toEqual([]);
  });
});
