import { describe, expect, it } from "vitest";
import { leftOut, planWithout } from "../../src/model/left-out.ts";
import { plan, task } from "../support/sample-plan.ts";

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
    // Done by hand meanwhile: what was made for it is not needed any more, what stands in it is a task of its own.
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
  it("has what is left out done, and all else as it was", () => {
    const left = planWithout(whole, ["1.1"]);
    expect(left).toEqual({
      ...whole,
      tasks: whole.tasks.map((each) => (["1.1", "1.1.1"].includes(each.id) ? { ...each, done: true } : each)),
    });
  });

  it("is the same plan where nothing is", () => {
    expect(planWithout(whole, [])).toBe(whole);
    expect(planWithout(whole, ["1.3"])).toBe(whole);
  });
});
