import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openPlan } from "../../src/markdown/plan-document.ts";
import { tickEdit, tickTask } from "../../src/markdown/tick-task.ts";
import { documents } from "../support/markdown-arbitraries.ts";
import { prop } from "../support/prop.ts";

describe("tickTask", () => {
  it.each([
    ["- [ ] 1.1 One\n- [ ] 1.10 Ten\n", "1.1", "- [x] 1.1 One\n- [ ] 1.10 Ten\n"],
    ["-\t[ ] 1.1 One", "1.1", "-\t[x] 1.1 One"],
    ["- [-] 1.1 Doing", "1.1", "- [x] 1.1 Doing"],
    ["- [ ]* 1.1 Optional", "1.1", "- [x]* 1.1 Optional"],
    ["\uFEFF---\r\na: b\r\n---\r\n- [ ] 1.1 One", "1.1", "\uFEFF---\r\na: b\r\n---\r\n- [x] 1.1 One"],
  ])("sets the box in %j", (plan, id, expected) => {
    expect(tickTask(plan, id)).toBe(expected);
  });

  it("clears a box", () => {
    expect(tickTask("- [X] 1.1 One", "1.1", false)).toBe("- [ ] 1.1 One");
  });

  it("changes nothing when it is so already", () => {
    expect(tickTask("- [X] 1.1 One", "1.1")).toBe("- [X] 1.1 One");
    expect(tickEdit(openPlan("- [-] 1.1 One"), "1.1", false)).toBeNull();
  });

  it("refuses a task that is not there", () => {
    expect(() => tickTask("- [ ] 1.1 One", "1.2")).toThrow("Cannot find task `1.2`, expected it in the plan");
  });
});

describe("tickTask, for every document", () => {
  prop("I7: changes one character, and that box only", [documents, fc.nat(10)], (text, which) => {
    const { tasks } = openPlan(text).plan;
    const task = tasks[which % tasks.length];
    if (task === undefined || tasks.filter(({ id }) => id === task.id).length > 1) return;
    const ticked = tickTask(text, task.id);
    expect(ticked.length).toBe(text.length);
    expect(ticked.slice(0, task.box)).toBe(text.slice(0, task.box));
    expect(ticked.slice(task.box + 1)).toBe(text.slice(task.box + 1));
    const after = openPlan(ticked).plan.tasks;
    expect(after.map(({ fields, ...found }) => found)).toEqual(
      tasks.map(({ fields, ...found }) => (found.box === task.box ? { ...found, done: true } : found)),
    );
  });
});
