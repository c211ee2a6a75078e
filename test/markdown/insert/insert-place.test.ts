import { describe, expect, it } from "vitest";
import { findTask } from "../../../src/markdown/document/find-task.ts";
import { openPlan } from "../../../src/markdown/document/plan-document.ts";
import { type InsertPlace, placeBefore, placeBehind } from "../../../src/markdown/insert/insert-place.ts";

const lines = (...all: string[]): string => `${all.join("\n")}\n`;
const before = (plan: string, id: string): InsertPlace => {
  const document = openPlan(plan);
  return placeBefore(document, findTask(document, id));
};
const behind = (plan: string, id: string): InsertPlace => {
  const document = openPlan(plan);
  return placeBehind(document, findTask(document, id));
};

describe("placeBefore", () => {
  it.each<[string, number, string, string[]]>([
    [
      "the task before it, though most tasks do not",
      1,
      "1.4",
      ["- [ ] 1.1 One", "- [ ] 1.2 Two", "- [ ] 1.3 Three", "", "- [ ] 1.4 Four", "- [ ] 1.5 Five"],
    ],
    [
      "the task before it, though the one behind it does",
      0,
      "1.2",
      ["- [ ] 1.1 One", "- [ ] 1.2 Two", "", "- [ ] 1.3 Three"],
    ],
    [
      "the task before it, in which others stand",
      1,
      "2",
      ["- [ ] 1 One", "  - [ ] 1.1 Make it", "  - [ ] 1.2 Test it", "", "- [ ] 2 Two", "- [ ] 3 Three"],
    ],
    [
      "the one behind it where it is the first, though most tasks do not",
      1,
      "2.1",
      [
        ...["## First", "- [ ] 1.1 One", "- [ ] 1.2 Two", "- [ ] 1.3 Three", ""],
        ...["## Second", "- [ ] 2.1 One", "", "- [ ] 2.2 Two"],
      ],
    ],
    [
      "the one behind it where it is the first, though most tasks do",
      0,
      "2.1",
      [
        ...["## First", "- [ ] 1.1 One", "", "- [ ] 1.2 Two", "", "- [ ] 1.3 Three", ""],
        ...["## Second", "- [ ] 2.1 One", "- [ ] 2.2 Two"],
      ],
    ],
    [
      "most tasks where it stands alone",
      1,
      "2.1",
      ["## First", "- [ ] 1.1 One", "", "- [ ] 1.2 Two", "", "## Second", "- [ ] 2.1 One"],
    ],
  ])("leaves as many blank lines as stand between a task and %s", (_, blankLines, id, plan) => {
    expect(before(lines(...plan), id).blankLines).toBe(blankLines);
  });
});

describe("placeBehind", () => {
  it("leaves as many blank lines behind a last nested task as stand before it, not before the task behind", () => {
    const plan = lines(
      ...["- [ ] 1 One", "  - [ ] 1.1 Make it", "    - Now", "", "  - [ ] 1.2 Test it", "- [ ] 2 Two"],
    );
    expect(behind(plan, "1.2").blankLines).toBe(1);
  });

  it("looks for fixes of a nested task on its level only", () => {
    const plan = lines(...["- [ ] 1 One", "  - [ ] 1.1 Make it", "- [ ] 1.1.1 [FIX 1.1] Fix: not made", "- [ ] 2 Two"]);
    expect(behind(plan, "1.1")).toMatchObject({ offset: plan.indexOf("\n- [ ] 1.1.1"), depth: 1 });
  });

  const gaps = (count: number, blankLines: number): number[] => Array<number>(count).fill(blankLines);
  const tasks = (phase: number, blankLines: readonly number[]): string[] => [
    `- [ ] ${phase}.1 Task`,
    ...blankLines.flatMap((count, index) => [...Array<string>(count).fill(""), `- [ ] ${phase}.${index + 2} Task`]),
  ];

  it.each<[string, number, string[]]>([
    ["one of two", 1, ["## First", ...tasks(1, [0, 1]), "", "## Second", "- [ ] 2.1 Alone"]],
    ["one of three", 0, ["## First", ...tasks(1, [0, 1, 0]), "", "## Second", "- [ ] 2.1 Alone"]],
    [
      "nine of the nineteen among twenty tasks behind it",
      0,
      ["## First", "- [ ] 2.1 Alone", "", "## Second", ...tasks(3, [...gaps(10, 0), ...gaps(30, 1)])],
    ],
    [
      "nine of the nineteen among twenty tasks before it",
      0,
      ["## First", ...tasks(1, [...gaps(30, 1), ...gaps(10, 0)]), "", "## Second", "- [ ] 2.1 Alone"],
    ],
    [
      "the only one on its level",
      1,
      [
        ...["## First", "- [ ] 1 One", "", "- [ ] 2 Two", "  - [ ] 2.2 A", "  - [ ] 2.3 B", "  - [ ] 2.4 C", ""],
        ...["## Second", "- [ ] 2.1 Alone"],
      ],
    ],
  ])("has blank lines of a task that stands alone go by the gaps around it, of which %s is blank", (_, count, plan) => {
    expect(behind(lines(...plan), "2.1").blankLines).toBe(count);
  });
});
