import { describe, expect, it } from "vitest";
import type { NewTask } from "../../src/model/plan-change.ts";
import { checkChange, planChangeOf, type RequestedChange } from "../../src/recover/check-plan-change.ts";
import { plan, task } from "../support/sample-plan.ts";

const newTask = (id: string): NewTask => ({ id, markers: [], title: "New", fields: {} });
const check = (part: Partial<RequestedChange> = {}): string | null =>
  checkChange({
    request: { type: "SPLIT_TASK", originalTaskId: "1.3" },
    task: { id: "1.3", fixOf: null },
    root: "1.3",
    plan: plan(task("1.2"), task("1.3"), task("1.3.1", { fixOf: "1.3" })),
    proposed: [newTask("1.3.2"), newTask("1.3.3")],
    changes: 0,
    depth: 0,
    claimed: false,
    ...part,
  });
const asked = (type: RequestedChange["request"]["type"], originalTaskId = "1.3") => ({
  request: { type, originalTaskId },
});
const fix = { task: { id: "1.3.1", fixOf: "1.3" }, root: "1.3" };

describe("checkChange", () => {
  it("allows a split, a prerequisite, and a follow-up of a done task", () => {
    expect(check()).toBeNull();
    expect(check({ ...asked("ADD_PREREQUISITE"), proposed: [newTask("1.2.9")] })).toBeNull();
    expect(check({ ...asked("ADD_FOLLOWUP"), proposed: [newTask("1.3.9")], claimed: true })).toBeNull();
  });

  it("allows changes and generations up to the limits", () => {
    expect(check({ changes: 2, depth: 1 })).toBeNull();
  });

  it("allows a fix task to request anything except a split", () => {
    expect(check({ ...fix, ...asked("ADD_PREREQUISITE", "1.3.1") })).toBeNull();
    expect(check({ ...fix, ...asked("ADD_FOLLOWUP", "1.3.1"), claimed: true })).toBeNull();
  });

  it("allows an id that looks like that of a future fix", () => {
    expect(check({ proposed: [newTask("1.2.1"), newTask("1.3.1.1")] })).toBeNull();
  });

  it.each<[string, Partial<RequestedChange>, string]>([
    ["of another task", asked("SPLIT_TASK", "1.2"), 'originalTaskId is "1.2", expected "1.3"'],
    [
      "of a task with a long name",
      asked("SPLIT_TASK", `1.3\n${"x".repeat(99)}`),
      `originalTaskId is "1.3\\n${"x".repeat(36)}", expected "1.3"`,
    ],
    ["of the task that a fix repairs", { ...fix, ...asked("ADD_PREREQUISITE") }, 'is "1.3", expected "1.3.1"'],
    ["after three other changes", { changes: 3 }, "Max modifications (3) reached for task 1.3"],
    ["in a third generation", { depth: 2 }, "Max modification depth (2) reached for task 1.3"],
    ["that splits a fix task", { ...fix, ...asked("SPLIT_TASK", "1.3.1") }, "a fix task cannot be split"],
    [
      "that splits a fix task of a done task",
      { ...fix, ...asked("SPLIT_TASK", "1.3.1"), root: "1.3.1" },
      "a fix task cannot be split",
    ],
    [
      "that splits a task that this run made for another task",
      { ...asked("SPLIT_TASK"), root: "1.2" },
      "a fix task cannot be split",
    ],
    ["that splits a task into a single part", { proposed: [newTask("1.3.2")] }, "a split needs at least 2 tasks"],
    ["with a follow-up of an open task", asked("ADD_FOLLOWUP"), "a follow-up needs the claim that the task is done"],
    ["without a task", { ...asked("ADD_PREREQUISITE"), proposed: [] }, "the request proposes no task"],
    ["with an id of the plan", { proposed: [newTask("1.3.2"), newTask("1.2")] }, "the plan has a task 1.2 already"],
    ["with the id of the task", { proposed: [newTask("1.3"), newTask("1.4")] }, "the plan has a task 1.3 already"],
    ["with one id twice", { proposed: [newTask("1.4"), newTask("1.4")] }, "the request proposes task 1.4 twice"],
    ["with a path as id", { proposed: [newTask("1.4"), newTask("../1")] }, '"../1" is not a valid task id'],
    ["with an empty id", { proposed: [newTask(""), newTask("1.4")] }, '"" is not a valid task id'],
    [
      "with an id that is a property of every object",
      { proposed: [newTask("__proto__"), newTask("1.4")] },
      '"__proto__" is not a valid task id',
    ],
    ["with an id of 65 characters", { proposed: [newTask("1".repeat(65)), newTask("1.4")] }, "is not a valid task id"],
  ])("refuses a change %s", (_, part, reason) => {
    expect(check(part)).toContain(reason);
  });
});

const tasks: NewTask[] = [{ id: "1.3.2", markers: ["P"], title: "New", fields: { do: "It" } }];

describe("planChangeOf", () => {
  it("ticks a split task and puts its parts after it", () => {
    expect(planChangeOf("SPLIT_TASK", { task: "1.3", root: "1.3", tasks })).toEqual({
      task: "1.3",
      place: "behind",
      tasks,
      tick: true,
    });
  });

  it("puts prerequisites before the root of the tree", () => {
    expect(planChangeOf("ADD_PREREQUISITE", { task: "1.3.1", root: "1.3", tasks })).toEqual({
      task: "1.3",
      place: "before",
      tasks,
    });
  });

  it("puts follow-ups after the root of the tree", () => {
    expect(planChangeOf("ADD_FOLLOWUP", { task: "1.3.1", root: "1.3", tasks })).toEqual({
      task: "1.3",
      place: "behind",
      tasks,
    });
  });
});
