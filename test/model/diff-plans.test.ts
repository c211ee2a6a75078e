import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffPlans, type PlanDifference } from "../../src/model/diff-plans.ts";
import type { Plan } from "../../src/model/plan.ts";
import { prop } from "../support/prop.ts";
import { plan, task } from "../support/sample-plan.ts";

const before = plan(task("1.1"), task("1.2", { done: true }), task("1.3"), task("1.4"));
const [one, two, three, four] = before.tasks as [
  Plan["tasks"][0],
  Plan["tasks"][0],
  Plan["tasks"][0],
  Plan["tasks"][0],
];
const told = (differences: readonly PlanDifference[]) =>
  differences.map((found) => {
    const ids = [...("before" in found ? [found.before.id] : []), ...("after" in found ? [found.after.id] : [])];
    return [found.kind, ...new Set(ids), ...(found.kind === "edited" ? found.texts : [])].join(" ");
  });
const diff = (...tasks: Plan["tasks"]) => told(diffPlans(before, plan(...tasks)));

describe("diffPlans", () => {
  it.each([
    ["nothing", [one, two, three, four], []],
    [
      "equal texts at another place in the file",
      [one, two, three, { ...four, line: 9, start: 90, end: 99, box: 93 }],
      [],
    ],
    ["ticks", [{ ...one, done: true }, { ...two, done: false }, three, four], ["ticked 1.1", "unticked 1.2"]],
    ["an addition", [one, two, task("9.9"), three, four], ["added 9.9"]],
    ["an addition after the first", [one, task("9.9"), two, three, four], ["added 9.9"]],
    ["a second task with the same id", [one, two, three, three, four], ["added 1.3"]],
    ["a removal", [one, three, four], ["removed 1.2"]],
    ["another id", [one, two, { ...three, id: "1.9" }, four], ["renamed 1.3 1.9"]],
    [
      "another id and a tick",
      [one, two, { ...three, id: "1.9", done: true }, four],
      ["renamed 1.3 1.9", "ticked 1.3 1.9"],
    ],
    ["another id and text", [one, two, task("1.9"), four], ["removed 1.3", "added 1.9"]],
    [
      "changed texts",
      [{ ...one, title: "x", markers: ["P"], fields: { ...one.fields, doneWhen: "y", verify: "z" } }, two, three, four],
      ["edited 1.1 title markers doneWhen verify"],
    ],
    ["a task that moved up", [four, one, two, three], ["moved 1.4"]],
    ["a task that moved down", [two, three, one, four], ["moved 1.1"]],
    [
      "another phase or parent",
      [{ ...one, phase: "B" }, two, { ...three, parent: "1.2" }, four],
      ["moved 1.1", "moved 1.3"],
    ],
    [
      "several things with one task",
      [two, three, four, { ...one, done: true, title: "x" }],
      ["ticked 1.1", "edited 1.1 title", "moved 1.1"],
    ],
  ])("finds %s", (_, after, expected) => {
    expect(diff(...after)).toEqual(expected);
  });

  it("finds no change in equal markers", () => {
    const marked = (...markers: string[]) => plan(task("1", { markers }));
    expect(diffPlans(marked("P", "VERIFY"), marked("P", "VERIFY"))).toEqual([]);
    expect(told(diffPlans(marked("P", "X"), marked("PX")))).toEqual(["edited 1 markers"]);
    expect(told(diffPlans(marked("PX"), marked("P", "X")))).toEqual(["edited 1 markers"]);
  });

  it("finds no change in a ticked step, but one in a Verify that looks like a step", () => {
    const steps = (box: string) =>
      plan(task("1", { fields: { do: `Add\n  - [${box}] 1.1 One`, verify: `- [${box}]` } }));
    expect(told(diffPlans(steps(" "), steps("x")))).toEqual(["edited 1 verify"]);
  });

  it("finds nothing in identical plans", () => {
    expect(diffPlans(before, before)).toEqual([]);
  });

  const ids = ["1.1", "1.2", "1.3", "1.10", "1.1.1"];
  const plans = fc
    .array(fc.record({ id: fc.constantFrom(...ids), done: fc.boolean(), title: fc.constantFrom("a", "b") }), {
      maxLength: 8,
    })
    .map((all) => plan(...all.map(({ id, ...rest }) => task(id, rest))));

  prop("accounts for every task of both plans", [plans, plans], (old, now) => {
    const found = diffPlans(old, now);
    const of = (kind: PlanDifference["kind"]) => found.filter((each) => each.kind === kind).length;
    expect(old.tasks.length - of("removed") + of("added")).toBe(now.tasks.length);
    expect(of("renamed")).toBeLessThanOrEqual(Math.min(old.tasks.length, now.tasks.length));
  });

  prop("is empty only if the tasks are equal, and is symmetric", [plans, plans], (old, now) => {
    const alike = (all: Plan) => JSON.stringify(all.tasks);
    expect(diffPlans(old, now).length === 0).toBe(alike(old) === alike(now));
    expect(diffPlans(now, old).length === 0).toBe(diffPlans(old, now).length === 0);
  });
});
