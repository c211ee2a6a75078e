import { describe, expect, it } from "vitest";
import { openPlan } from "../../../src/markdown/document/plan-document.ts";

const problemsOf = (...lines: readonly string[]) => openPlan(`${lines.join("\n")}\n`).plan.problems;

describe("problems of a plan", () => {
  it("are cyclic dependencies, without their dependents and done tasks", () => {
    const circle = [
      "- [ ] 1.1 One (depends on 1.2)",
      "- [ ] 1.2 Two (depends on 1.3)",
      "- [ ] 1.3 Three (depends on 1.2)",
    ];
    expect(problemsOf(...circle, "- [ ] 1.4 Four (depends on 1.1)")).toMatchObject([
      { rule: "circular-order", line: 2, message: "Tasks depend on each other in a circle: 1.2, 1.3, 1.2" },
    ]);
    expect(problemsOf(...circle.with(2, "- [x] 1.3 Three (depends on 1.2)"))).toEqual([]);
  });

  it.each([
    ["a group that waits for its task", ["- [ ] 1 One (depends on 1.1)", "  - [ ] 1.1 A"], "1.1, 1.1"],
    ["a task that waits for its group", ["- [ ] 1 One", "  - [ ] 1.1 A (depends on 1)"], "1, 1.1, 1"],
    [
      "groups that wait for each other",
      ["- [ ] 1 One (depends on 2)", "  - [ ] 1.1 A", "- [ ] 2 Two (depends on 1)", "  - [ ] 2.1 B"],
      "1, 1.1, 2, 2.1, 1",
    ],
    [
      "groups in a group",
      ["- [ ] 1 One (depends on 2)", "  - [ ] 1.1 A", "    - [ ] 1.1.1 C", "- [ ] 2 B (depends on 1.1.1)"],
      "1.1.1, 2, 1.1.1",
    ],
  ])("refuses %s", (_, lines, circle) => {
    expect(problemsOf(...lines)).toMatchObject([
      { rule: "circular-order", message: `Tasks depend on each other in a circle: ${circle}` },
    ]);
  });

  it("accepts groups with dependencies, and ids that contain themselves", () => {
    expect(
      problemsOf("- [ ] 1 One (depends on 2)", "  - [ ] 1.1 A (depends on 9)", "- [ ] 2 Two", "  - [ ] 2.1 B"),
    ).toEqual([]);
    expect(problemsOf("- [x] 1 One", "  - [ ] 1 Again", "    - [ ] 1.1 A (depends on 1.2)", "    - [ ] 1.2 B")).toEqual(
      [],
    );
  });

  it("end for groups that contain each other by id", () => {
    const twice = ["- [ ] 1 B", "  - [ ] 2 C", "    - [ ] 1 D", "      - [ ] 3 E"];
    expect(problemsOf("- [ ] 0 A (depends on 3)", ...twice)).toMatchObject([{ rule: "duplicate-id" }]);
  });

  it("have their line and a remedy", () => {
    expect(
      problemsOf(
        ...["# Plan", "", "## Task 1.1: Add it", "## Core", "- [ ] 1.1 One", "- [ ] 1.1 Again"],
        ...["- [ ] 1.3.1 [FIX 1.3] Mend", "", "## Core", "", "- [] 1.4 Four", "- [ ] 1.5 Five", "  ```"],
      ),
    ).toEqual([
      {
        rule: "heading-task",
        severity: "warning",
        line: 3,
        message: "The heading `Task 1.1: Add it` is not read as a task",
        hint: "Write its steps below as list items with a box.",
      },
      {
        rule: "duplicate-id",
        severity: "error",
        line: 6,
        message: "Task id `1.1` is on lines 5 and 6",
        hint: "Give each of the tasks an id of its own.",
      },
      {
        rule: "fix-without-original",
        severity: "error",
        line: 7,
        message: "Task `1.3.1` is a fix of `1.3`, which is not in the plan",
        hint: "Add task `1.3`, or remove the marker `[FIX 1.3]`.",
      },
      {
        rule: "near-miss-task",
        severity: "warning",
        line: 11,
        message: "This line looks like a task but is not read as one",
        hint: "Write `- [ ] ` with one blank after the bullet, in the box and after it.",
      },
      {
        rule: "open-fence",
        severity: "warning",
        line: 13,
        message: "This fence is never closed; nothing after it in its block is read",
        hint: "Close the fence with a line that repeats its marks.",
      },
    ]);
  });

  it("include the innermost headings of tasks without a task below", () => {
    const lines = [
      "## Task 1: A",
      "### Task 1.1: B",
      "### Task 1.2: C",
      "- [ ] 1.2.1 D",
      "## 任务 2：E",
      "- [ ] 2.1 F",
    ];
    expect(problemsOf(...lines)).toMatchObject([{ rule: "heading-task", line: 2 }]);
  });

  it("include the lack of tasks in a plan whose tasks are headings without boxes", () => {
    expect(problemsOf("### Task 1: A", "", "## Success Criteria", "", "- [ ] Fast")).toMatchObject([
      { rule: "no-tasks", severity: "error" },
      { rule: "heading-task" },
    ]);
  });

  it("include the lack of tasks", () => {
    expect(problemsOf("# Plan")).toEqual([
      {
        rule: "no-tasks",
        severity: "error",
        line: 1,
        message: "The plan has no task",
        hint: "Write tasks as list items with a box, e.g. `- [ ] 1.1 Add the parser`; `fixpoint init --from <file>` reads plans of GSD, and headings such as `### Task 1: Title`.",
      },
    ]);
  });
});
