import { describe, expect, it } from "vitest";
import { applyEdit, openPlan } from "../../../src/markdown/document/plan-document.ts";

/** The places of all tasks, after an edit of a plan that was looked at before it. */
function placesAfter(text: string, part: string, other: string) {
  const document = openPlan(text);
  const start = text.indexOf(part);
  expect([document.plan.tasks.length, start]).not.toContain(-1);
  const edited = applyEdit(document, { start, end: start + part.length, text: other });
  const { tasks, phases } = edited.plan;
  expect(edited.text).toBe(text.replace(part, other));
  expect({ tasks, phases }).toEqual({
    tasks: openPlan(edited.text).plan.tasks,
    phases: openPlan(edited.text).plan.phases,
  });
  return tasks.map(({ line, phase }) => [line, phase]);
}

describe("the place of a task that an edit does not touch", () => {
  const text = "# Alpha\n\nab\n\n- [ ] 1 One\n- [ ] 2 Two\n";

  it("is on another line when a line ending comes before it, though its offset stays", () => {
    expect(placesAfter(text, "ab", "\n\n")).toEqual([
      [7, "Alpha"],
      [8, "Alpha"],
    ]);
  });

  it("is in another phase when the heading above it is another, though its offset and line stay", () => {
    expect(placesAfter(text, "Alpha", "Gamma")).toEqual([
      [5, "Gamma"],
      [6, "Gamma"],
    ]);
  });

  it("is in another phase when headings behind it make deeper ones begin a phase", () => {
    const deep = "## Phase 1: A\n\n- [ ] 1 One\n\n### B\n\n1. [ ]2 Two\n\n### Phase 3: C\n\n- [ ] 3 Three\n";
    expect(placesAfter(deep, "- [ ] 3", "### Phase 4: D\n\n- [ ] 3")).toEqual([
      [3, "Phase 1: A"],
      [7, "B"],
      [13, "Phase 4: D"],
    ]);
  });
});

describe("a heading in one chunk with tasks", () => {
  it("is the phase of those below it, and not of those above it", () => {
    const { tasks, phases } = openPlan("# A\n\n1. [ ]1 One\n\nB\n---\n\n1. [ ]2 Two\n\nC\n---\n").plan;
    expect(tasks.map(({ id, phase }) => [id, phase])).toEqual([
      ["1", "A"],
      ["2", "B"],
    ]);
    expect(phases).toEqual([
      { title: "A", line: 1, tasks: ["1"] },
      { title: "B", line: 5, tasks: ["2"] },
    ]);
  });
});

describe("tasks that stand in each other", () => {
  const text =
    "# A\n\n- [ ] 1 One\n  - **Do**:\n    - [ ] 1.1 Two\n      - [ ] 1.1.1 Three\n    - [ ] 1.2 Four\n- [ ] 2 Five\n";

  it("know the one they stand in", () => {
    expect(openPlan(text).plan.tasks.map(({ id, parent }) => [id, parent])).toEqual([
      ["1", null],
      ["1.1", "1"],
      ["1.1.1", "1.1"],
      ["1.2", "1"],
      ["2", null],
    ]);
  });

  it("say after a tick what the ticked text says", () => {
    const document = openPlan(text);
    const [, inner] = document.plan.tasks;
    const box = inner?.box as number;
    const ticked = applyEdit(document, { start: box, end: box + 1, text: "x" });
    expect(ticked.plan.tasks[0]?.fields.do).toContain("- [x] 1.1 Two");
    const all = (tasks: typeof ticked.plan.tasks) => tasks.map((task) => ({ ...task }));
    expect(all(ticked.plan.tasks)).toEqual(all(openPlan(ticked.text).plan.tasks));
  });
});
