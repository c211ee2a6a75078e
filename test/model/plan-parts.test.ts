import { describe, expect, it } from "vitest";
import { openPlan, readPlan } from "../../src/markdown/document/plan-document.ts";
import {
  asideIn,
  boxChange,
  boxesOf,
  choiceOf,
  countDone,
  joinBoxes,
  leftOut,
  lookAtPlan,
  planWithout,
  withBoxes,
  withSteps,
  withTicks,
} from "../../src/model/plan-parts.ts";
import { doneGroups, selectWork } from "../../src/model/select-work.ts";
import { plan, task } from "../support/sample-plan.ts";

it("withTicks changes only boxes, and none that is excluded", () => {
  const plan = openPlan("- [ ] 1 One\n- [x] 2 Two\n- [x] 3 Three\n- [ ] 4 Four\n");
  expect(withTicks(plan, [true, false, null])).toBe("- [x] 1 One\n- [ ] 2 Two\n- [x] 3 Three\n- [ ] 4 Four\n");
});

it("withSteps restores the boxes of steps, except those that are kept", () => {
  const steps = (boxes: string) =>
    openPlan(`### Task 1: A\n\n${[...boxes].map((box) => `- [${box}] Do\n`).join("")}\n### Task 2: B\n\n- [ ] Do\n`);
  expect(withSteps(steps("xx "), steps(" x "))).toBe(steps(" x ").text);
  expect(withSteps(steps("xx "), steps(" x "), new Set(["1"]))).toBe(steps("xx ").text);
  expect(withSteps(steps("xx"), steps(" x "))).toBe(steps("xx").text);
  expect(withSteps(steps("xx"), openPlan("- [ ] 1 A\n"))).toBe(steps("xx").text);
});

const before = readPlan("- [x] 1.1 A\n- [ ] 1.2 B\n- [ ] 1.3 C\n");
const after = readPlan("- [ ] 1.1 A\n- [x] 1.2 B\n- [ ] 1.3 C\n- [x] 1.4 D\n- [ ] 1.5 E\n");

describe("boxChange", () => {
  it("contains what was ticked and cleared; a new task had no tick", () => {
    expect(boxChange(before, after)).toEqual({ set: ["1.2", "1.4"], cleared: ["1.1"] });
  });

  it("is null without changes", () => {
    expect(boxChange(before, readPlan("- [x] 1.1 Renamed\n- [ ] 1.6 New\n"))).toBeNull();
    expect(boxChange(before, before)).toBeNull();
  });
});

describe("withBoxes", () => {
  it("is the plan with those boxes, and the others unchanged", () => {
    const changed = withBoxes(before, { set: ["1.2"], cleared: ["1.1"] });
    expect(changed.tasks.map(({ id, done }) => [id, done])).toEqual([
      ["1.1", false],
      ["1.2", true],
      ["1.3", false],
    ]);
    expect(changed.tasks[2]).toBe(before.tasks[2]);
    expect(withBoxes(before, { set: [], cleared: [] })).toEqual(before);
  });
});

describe("joinBoxes", () => {
  it("combines two consecutive changes", () => {
    const first = { set: ["1.1", "1.2"], cleared: ["1.3", "1.4"] };
    expect(joinBoxes(first, { set: ["1.3", "1.5"], cleared: ["1.1"] })).toEqual({
      set: ["1.2", "1.3", "1.5"],
      cleared: ["1.4", "1.1"],
    });
    expect(joinBoxes(first, first)).toEqual(first);
    expect(joinBoxes(null, first)).toEqual(first);
  });
});

describe("boxesOf", () => {
  it("is the part of a change for some tasks", () => {
    const change = { set: ["1.1", "1.2"], cleared: ["1.3"] };
    expect(boxesOf(change, new Set(["1.2", "1.3"]))).toEqual({ set: ["1.2"], cleared: ["1.3"] });
    expect(boxesOf(change, new Set(["1.3"]))).toEqual({ set: [], cleared: ["1.3"] });
    expect(boxesOf(change, new Set(["1.4"]))).toBeNull();
  });
});

const whole = plan(
  task("1.1"),
  task("1.1.1", { fixOf: "1.1" }),
  task("1.1.2", { fixOf: "1.1", done: true }),
  task("1.2"),
  task("1.2.a", { parent: "1.2" }),
  task("1.2.a.1", { fixOf: "1.2.a", parent: "1.2" }),
  task("1.3", { done: true }),
  task("1.4"),
  task("1.5", { done: true }),
  task("1.5.1", { fixOf: "1.5" }),
  task("1.5.1.1", { fixOf: "1.5.1" }),
  task("1.5.a", { parent: "1.5" }),
);

describe("leftOut", () => {
  it.each([
    [[], []],
    [["1.4"], ["1.4"]],
    [["1.1"], ["1.1", "1.1.1"]],
    [["1.2"], ["1.2", "1.2.a", "1.2.a.1"]],
    [["1.2.a"], ["1.2.a", "1.2.a.1"]],
    [["1.3"], []],
    // A person has done 1.5. Its fixes are obsolete, but its sub-tasks remain.
    [["1.5"], ["1.5.1", "1.5.1.1"]],
    [["9.9"], []],
    [
      ["1.1", "1.4"],
      ["1.1", "1.1.1", "1.4"],
    ],
  ])("of a plan without %j are %j", (skipped, expected) => {
    expect([...leftOut(whole, skipped)]).toEqual(expected);
  });
});

it("does not depend on the order of the tasks", () => {
  const moved = { ...whole, tasks: [...whole.tasks].reverse() };
  for (const skipped of whole.tasks.map(({ id }) => id)) {
    expect(new Set(leftOut(moved, [skipped]))).toEqual(new Set(leftOut(whole, [skipped])));
  }
});

describe("planWithout", () => {
  it("marks skipped tasks as done, and leaves all others unchanged", () => {
    const left = planWithout(whole, ["1.1"]);
    expect(left).toEqual({
      ...whole,
      tasks: whole.tasks.map((each) => (["1.1", "1.1.1"].includes(each.id) ? { ...each, done: true } : each)),
    });
  });

  it("is the same plan if nothing is skipped", () => {
    expect(planWithout(whole, [])).toBe(whole);
    expect(planWithout(whole, ["1.3"])).toBe(whole);
  });
});

it("names the file with the saved plan, if there is one", () => {
  expect(lookAtPlan(", then run again", "plan.md")).toBe("Look at tasks.md (earlier version: plan.md), then run again");
  expect(lookAtPlan("; run again", null)).toBe("Look at tasks.md; run again");
});

describe("the tasks that a run may begin", () => {
  const { plan: aside } = openPlan(
    ["- [ ] 1.1 A (optional)", "- [ ] 1.2 Manual: B", "- [~] 1.3 C", "- [x] 1.4 D (optional)", "- [ ] 1.5 E\n"].join(
      "\n",
    ),
  );
  const open = (choice: Parameters<typeof selectWork>[1], read = aside): string[] =>
    selectWork(read, choice).tasks.flatMap(({ id, done }) => (done ? [] : [id]));

  it("exclude those for their authors, unless the run is set to do them", () => {
    expect(asideIn(aside.tasks, { optional: false, people: false })).toEqual(["1.1", "1.2", "1.3"]);
    expect(open({ optional: false, people: false })).toEqual(["1.5"]);
    expect(open({ optional: true, people: false })).toEqual(["1.1", "1.5"]);
    expect(open({ optional: false, people: true })).toEqual(["1.2", "1.5"]);
  });

  it("count, unless they are fixes or groups", () => {
    const fix = task("1.5.1", { fixOf: "1.5", done: true });
    const tasks = [...aside.tasks, fix, task("2", { isGroup: true, done: true })];
    expect(countDone(tasks, choiceOf())).toEqual({ total: 3, completed: 1 });
    expect(countDone(tasks, choiceOf({ optional: true, unattended: true }))).toEqual({ total: 3, completed: 1 });
    expect(countDone(tasks, choiceOf({ optional: true, unattended: false }))).toEqual({ total: 4, completed: 1 });
  });

  it("wait for all tasks of a group that they depend on, as do all tasks of their own group", () => {
    const one = { optional: false, people: false };
    const grouped = (rest: string) =>
      open(
        one,
        openPlan(
          `- [ ] 1 A (depends on 2)\n  - [ ] 1.1 B\n    - [ ] 1.1.1 C\n- [ ] 2 D\n${rest}\n- [ ] 3 E (depends on 1)\n`,
        ).plan,
      );
    expect(grouped("  - [ ] 2.1 F\n  - [ ] 2.2 G")).toEqual(["2.1", "2.2"]);
    expect(grouped("  - [x] 2.1 F\n  - [ ] 2.2 G")).toEqual(["2.2"]);
    expect(grouped("  - [x] 2.1 F\n  - [ ]* 2.2 G")).toEqual(["1.1.1"]);
    const twice =
      "- [ ] 1 A\n  - [ ] 2 B\n    - [ ] 1 C\n      - [ ] 2 D\n        - [ ] 3 E (depends on 4)\n- [ ] 4 F\n";
    expect(open(one, openPlan(twice).plan)).toEqual(["4"]);
  });

  it("wait for dependencies, but not in a cycle", () => {
    const one = { optional: false, people: false };
    expect(open(one, openPlan("- [ ] 1.1 A (depends on 1.2)\n- [ ] 1.2 B\n").plan)).toEqual(["1.2"]);
    expect(open(one, openPlan("- [ ] 1.1 A (depends on 1.2)\n- [x] 1.2 B\n").plan)).toEqual(["1.1"]);
    const circle = openPlan("- [ ] 1.1 A (depends on 1.2)\n- [ ] 1.2 B (depends on 1.1)\n").plan;
    expect(open(one, circle)).toEqual(["1.1", "1.2"]);
  });

  it("exclude groups, which are done with their tasks, from the innermost outwards", () => {
    const groups = openPlan("- [ ] 1 A\n  - [ ] 1.1 B\n    - [x] 1.1.1 C\n  - [ ] 1.2 D (optional)\n- [ ] 2 E\n").plan;
    expect(open({ optional: false, people: false }, groups)).toEqual(["2"]);
    expect(doneGroups(groups.tasks, { optional: false })).toEqual(["1.1", "1"]);
    expect(doneGroups(groups.tasks, { optional: true })).toEqual(["1.1"]);
    const untouched = openPlan("- [ ] 1 A\n  - [ ]* 1.1 B\n- [ ] 2 C\n  - [ ] 2.1 D\n").plan;
    expect(doneGroups(untouched.tasks, { optional: false })).toEqual([]);
    const again = openPlan("## A\n\n- [x] 1 A\n  - [x] 1.1 B\n\n## B\n\n- [ ] 1 Deploy\n- [ ] 2 Tell\n").plan;
    expect(open({ optional: false, people: false }, again)).toEqual(["1", "2"]);
    expect(doneGroups(again.tasks, { optional: false })).toEqual([]);
  });
});
