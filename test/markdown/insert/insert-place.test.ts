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
      "the task before it, though most tasks have none",
      1,
      "1.4",
      ["- [ ] 1.1 One", "- [ ] 1.2 Two", "- [ ] 1.3 Three", "", "- [ ] 1.4 Four", "- [ ] 1.5 Five"],
    ],
    [
      "the task before it, though the next one has another number of them",
      0,
      "1.2",
      ["- [ ] 1.1 One", "- [ ] 1.2 Two", "", "- [ ] 1.3 Three"],
    ],
    [
      "the task before it, which has nested tasks",
      1,
      "2",
      ["- [ ] 1 One", "  - [ ] 1.1 Make it", "  - [ ] 1.2 Test it", "", "- [ ] 2 Two", "- [ ] 3 Three"],
    ],
    [
      "the next one if it is the first, though most tasks have none",
      1,
      "2.1",
      [
        ...["## First", "- [ ] 1.1 One", "- [ ] 1.2 Two", "- [ ] 1.3 Three", ""],
        ...["## Second", "- [ ] 2.1 One", "", "- [ ] 2.2 Two"],
      ],
    ],
    [
      "the next one if it is the first, though most tasks have one",
      0,
      "2.1",
      [
        ...["## First", "- [ ] 1.1 One", "", "- [ ] 1.2 Two", "", "- [ ] 1.3 Three", ""],
        ...["## Second", "- [ ] 2.1 One", "- [ ] 2.2 Two"],
      ],
    ],
    [
      "its own lines if it is alone",
      1,
      "2.1",
      ["## First", "- [ ] 1.1 One", "- [ ] 1.2 Two", "", "## Second", "- [ ] 2.1 One", "", "  Now"],
    ],
    ["a heading and the text above it", 1, "1", ["### Task 1: One", "- [ ] Make it", "- [ ] Test it"]],
  ])("leaves as many blank lines as there are between a task and %s", (_, blankLines, id, plan) => {
    expect(before(lines(...plan), id).blankLines).toBe(blankLines);
  });
});

describe("placeBehind", () => {
  it("leaves as many blank lines after a last nested task as are before it, not as are before the next task", () => {
    const plan = lines(
      ...["- [ ] 1 One", "  - [ ] 1.1 Make it", "    - Now", "", "  - [ ] 1.2 Test it", "- [ ] 2 Two"],
    );
    expect(behind(plan, "1.2").blankLines).toBe(1);
  });

  it("finds fixes of a nested task only on its level", () => {
    const plan = lines(...["- [ ] 1 One", "  - [ ] 1.1 Make it", "- [ ] 1.1.1 [FIX 1.1] Fix: not made", "- [ ] 2 Two"]);
    expect(behind(plan, "1.1")).toMatchObject({ offset: plan.indexOf("\n- [ ] 1.1.1"), depth: 1 });
  });

  it.each<[string, number, string, string[]]>([
    ["alone, though others have one", 0, "2.1", ["- [ ] 1.1 A", "", "- [ ] 1.2 B", "", "## Second", "- [ ] 2.1 Alone"]],
    ["alone, with bullets", 0, "1.1", ["- [ ] 1.1 A", "  - **Do**: it", "    - so", "", "    - or so"]],
    ["alone, with a paragraph", 1, "1.1", ["- [ ] 1.1 A", "", "  So"]],
    ["in a list with one at another place", 1, "1.1", ["- note", "", "- [ ] 1 A", "  - x", "", "  - [ ] 1.1 B"]],
    ["below a heading, after its steps", 0, "1", ["### Task 1: A", "", "- [ ] One", "- [ ] Two", "", "### Task 2: B"]],
    ["below a heading, after a loose step", 1, "1", ["### Task 1: A", "- [ ] One", "", "  So"]],
    ["below a heading, after text", 1, "1", ["### Task 1: A", "- [ ] One", "", "```", "ls", "```"]],
  ])("adds a blank line only in a loose list: %s", (_, count, id, plan) => {
    expect(behind(lines(...plan), id).blankLines).toBe(count);
  });
});
