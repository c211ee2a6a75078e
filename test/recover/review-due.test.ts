import { describe, expect, it } from "vitest";
import { reviewDue } from "../../src/recover/review-due.ts";
import { plan, task } from "../support/sample-plan.ts";

const due = (given: ReturnType<typeof plan>): string[] =>
  given.tasks.map(({ id }) => id).filter((id) => reviewDue({ plan: given, task: id }));

describe("reviewDue", () => {
  it("is at the first task of every phase but the first", () => {
    const given = plan(
      task("1.1", { phase: "Phase 1" }),
      task("1.2", { phase: "Phase 1" }),
      task("2.1", { phase: "Phase 2" }),
      task("2.2", { phase: "Phase 2" }),
    );
    expect(due(given)).toEqual(["2.1"]);
  });

  it("is at a phase behind tasks without one", () => {
    expect(due(plan(task("1"), task("2", { phase: "Phase 1" }), task("3", { phase: "Phase 1" })))).toEqual(["2"]);
  });

  it("is at every fifth planned task, fixes left out", () => {
    const tasks = Array.from({ length: 11 }, (_, index) => task(`${index + 1}`));
    expect(due(plan(...tasks))).toEqual(["5", "10"]);
    expect(due(plan(task("1"), task("1.1", { fixOf: "1", phase: "P" }), ...tasks.slice(1)))).toEqual(["5", "10"]);
  });

  it("is at the last planned task that is open", () => {
    const given = plan(task("1", { done: true }), task("2"), task("2.1", { fixOf: "2" }), task("3", { done: true }));
    expect(due(given)).toEqual(["2"]);
    expect(due(plan(task("1"), task("2")))).toEqual([]);
    expect(due(plan(task("1")))).toEqual(["1"]);
  });

  it("is never for a task that the plan does not hold", () => {
    expect(reviewDue({ plan: plan(task("1", { done: true })), task: "9" })).toBe(false);
  });
});
