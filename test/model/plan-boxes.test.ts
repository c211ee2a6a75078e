import { expect, it } from "vitest";
import { openPlan } from "../../src/markdown/document/plan-document.ts";
import { withTicks } from "../../src/model/plan-boxes.ts";

it("withTicks changes boxes alone, and none that is to stay as it is", () => {
  const plan = openPlan("- [ ] 1 One\n- [x] 2 Two\n- [x] 3 Three\n- [ ] 4 Four\n");
  expect(withTicks(plan, [true, false, null])).toBe("- [x] 1 One\n- [ ] 2 Two\n- [x] 3 Three\n- [ ] 4 Four\n");
});
