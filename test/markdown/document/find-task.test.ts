import { describe, expect, it } from "vitest";
import { findTask, taskAt, tasksOf } from "../../../src/markdown/document/find-task.ts";
import { applyEdit, openPlan } from "../../../src/markdown/document/plan-document.ts";

describe("findTask", () => {
  it("says that no task has the id", () => {
    expect(() => findTask(openPlan("- [ ] 1.1 One\n"), "9.9")).toThrow(
      expect.objectContaining({
        message: "Cannot find task `9.9`, expected it in the plan",
        code: "task-not-found",
        hint: "Name one of the tasks that stand in tasks.md",
      }),
    );
  });

  it("says on which lines the tasks are that have the id", () => {
    expect(() => findTask(openPlan("- [ ] 1.1 One\n\n- [ ] 1.2 Two\n- [ ] 1.1 One\n"), "1.1")).toThrow(
      expect.objectContaining({
        message: "Cannot find task `1.1`, expected one but lines 1 and 4 have it",
        code: "ambiguous-task",
        hint: "Give one of the two tasks another id.",
      }),
    );
  });
});

describe("a task of a long plan", () => {
  const line = (n: number) => (n % 3 === 0 ? `- [ ] ${n} Task\n` : `- [ ] Task no. ${n}\n`);
  const text = `## First\n${Array.from({ length: 400 }, (_, n) => `${n === 200 ? "## Second\n" : ""}${line(n)}`).join("")}`;

  it("is found by its id, written or not, and by its index", () => {
    const found = openPlan(text);
    const { tasks } = openPlan(text).plan;
    expect(tasks).toHaveLength(400);
    tasks.forEach((task, index) => {
      expect(findTask(found, task.id)).toMatchObject({ task, index, found: { title: task.title } });
      expect(taskAt(found, index)).toMatchObject({ task, index });
    });
  });

  it("is told from others of its id by the order they stand in", () => {
    const document = openPlan(
      text.replace("- [ ] 399 Task", "- [ ] 0 Last").replace("- [ ] 201 Task", "- [ ] 0 Middle"),
    );
    const titles = (at: typeof document) => tasksOf(at, "0").map(({ task }) => task.title);
    expect(titles(document)).toEqual(["Task", "Middle", "Last"]);
    const renamed = applyEdit(document, { start: 9, end: 21, text: "- [ ] 0 First" });
    expect(titles(renamed)).toEqual(["First", "Middle", "Last"]);
  });
});
