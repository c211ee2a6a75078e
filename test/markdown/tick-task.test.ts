import { describe, expect, it } from "vitest";
import { openPlan } from "../../src/markdown/document/plan-document.ts";
import { tickEdits, tickTask } from "../../src/markdown/tick-task.ts";

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

  it.each([
    ["its checks", "- [ ] 1.1 One\n  - [ ] a\n    - [x] b\n  - c\n    - [ ] d\n- [ ] 1.2 Two\n", "1.1", [0, 1, 2, 4]],
    ["no sub-task, and none of its checks", "- [ ] 1 One\n  - [ ] 1.1 A\n    - [ ] a\n  - [ ] b\n", "1", [0, 3]],
    [
      "no check that is set aside",
      "- [ ] 1.1 One\n  - [~] a\n  - [ ]* b\n  - [ ] (manual) c\n  > - [ ] d\n",
      "1.1",
      [0],
    ],
    ["the checks of the steps below a heading", "### Task 1: A\n- [ ] One\n  - [ ] a\n- [ ] Two\n", "1", [1, 2, 3]],
  ])("ticks %s with a task", (_, plan, id, ticked) => {
    const lines = plan.split("\n").map((line, at) => (ticked.includes(at) ? line.replace("[ ]", "[x]") : line));
    expect(tickTask(plan, id)).toBe(lines.join("\n"));
    expect(tickEdits(openPlan(lines.join("\n")), id, true)).toEqual([]);
  });

  it("ticks one of several tasks without an id", () => {
    const plan = "- [ ] One\n- [ ] 1.1 Two\n- [ ] Three\n- [ ] Four\n";
    const third = openPlan(plan).plan.tasks[2]?.id ?? "";
    expect(tickTask(plan, third)).toBe(plan.replace("[ ] Three", "[x] Three"));
  });

  it("changes nothing if it is already so", () => {
    expect(tickTask("- [X] 1.1 One", "1.1")).toBe("- [X] 1.1 One");
    expect(tickEdits(openPlan("- [-] 1.1 One"), "1.1", false)).toEqual([]);
  });

  it("refuses a duplicate task, however far apart", () => {
    const between = Array.from({ length: 500 }, (_, index) => `- [ ] 2.${index} Other\n`).join("");
    expect(() => tickTask(`- [ ] 1.1 One\n${between}- [ ] 1.1 Again\n`, "1.1")).toThrow(
      expect.objectContaining({ code: "ambiguous-task" }),
    );
  });

  it("refuses a missing task", () => {
    expect(() => tickTask("- [ ] 1.1 One", "1.2")).toThrow("Cannot find task `1.2`, expected it in the plan");
  });
});
