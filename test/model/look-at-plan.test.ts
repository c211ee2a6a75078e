import { expect, it } from "vitest";
import { lookAtPlan } from "../../src/model/look-at-plan.ts";

it("names the file in which a plan is kept as it was, where there is one", () => {
  expect(lookAtPlan(", then run again", "plan.md")).toBe("Look at tasks.md (as it was: plan.md), then run again");
  expect(lookAtPlan("; run again", null)).toBe("Look at tasks.md; run again");
});
