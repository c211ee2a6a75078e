import { describe, expect, it } from "vitest";
import { planningPolicy } from "../../../src/hosts/cli/planning-policy.ts";

describe("planningPolicy", () => {
  it.each([
    [{ nodeRepair: null, repairBudget: null }, true, { policy: {} }],
    [{ nodeRepair: null, repairBudget: 3 }, true, { policy: { repairBudget: 3 } }],
    [{ nodeRepair: true, repairBudget: null }, true, { policy: {}, ladder: { repair: true } }],
    [{ nodeRepair: true, repairBudget: 1 }, true, { policy: { repairBudget: 1 }, ladder: { repair: true } }],
    [{ nodeRepair: false, repairBudget: 0 }, true, { policy: { repairBudget: 0 }, ladder: { repair: true } }],
    [{ nodeRepair: false, repairBudget: 0 }, false, { policy: {} }],
    [{ nodeRepair: true, repairBudget: 1 }, false, { policy: { repairBudget: 1 } }],
  ])("makes of %j, ladder to be chosen: %s, %j", (planning, isOpen, planned) => {
    expect(planningPolicy(planning, () => isOpen)).toEqual(planned);
  });
});
