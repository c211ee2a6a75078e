import { describe, expect, it } from "vitest";
import { planningPolicy } from "../../../src/hosts/cli/planning-policy.ts";

describe("planningPolicy", () => {
  it.each([
    [{ nodeRepair: null, repairBudget: null }, true, {}],
    [{ nodeRepair: null, repairBudget: 3 }, true, { repairBudget: 3 }],
    [{ nodeRepair: true, repairBudget: null }, true, { recovery: ["repair"] }],
    [{ nodeRepair: true, repairBudget: 1 }, true, { recovery: ["repair"], repairBudget: 1 }],
    [{ nodeRepair: false, repairBudget: 0 }, true, { recovery: ["repair"], repairBudget: 0 }],
    [{ nodeRepair: false, repairBudget: 0 }, false, {}],
    [{ nodeRepair: true, repairBudget: 1 }, false, { repairBudget: 1 }],
  ])("makes of %j, ladder to be chosen: %s, %j", (planning, isOpen, policy) => {
    expect(planningPolicy(planning, () => isOpen)).toEqual(policy);
  });
});
