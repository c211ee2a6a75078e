import { describe, expect, it } from "vitest";
import type { NewTask } from "../../src/model/new-task.ts";
import { planChangeOf } from "../../src/recover/plan-change-of.ts";

const tasks: NewTask[] = [{ id: "1.3.2", markers: ["P"], title: "New", fields: { do: "It" } }];

describe("planChangeOf", () => {
  it("ticks a split task and puts its parts behind it", () => {
    expect(planChangeOf("SPLIT_TASK", { task: "1.3", root: "1.3", tasks })).toEqual({
      task: "1.3",
      place: "behind",
      tasks,
      tick: true,
    });
  });

  it("puts what a task needs before the root of its tree", () => {
    expect(planChangeOf("ADD_PREREQUISITE", { task: "1.3.1", root: "1.3", tasks })).toEqual({
      task: "1.3",
      place: "before",
      tasks,
    });
  });

  it("puts what follows from a task behind the root of its tree", () => {
    expect(planChangeOf("ADD_FOLLOWUP", { task: "1.3.1", root: "1.3", tasks })).toEqual({
      task: "1.3",
      place: "behind",
      tasks,
    });
  });
});
