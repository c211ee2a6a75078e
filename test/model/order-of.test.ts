import { describe, expect, it } from "vitest";
import { readPlan } from "../../src/markdown/document/plan-document.ts";
import { orderOf } from "../../src/model/select-work.ts";

const orderIn = (text: string, choice: Partial<Parameters<typeof orderOf>[1]> = {}, most = 100) =>
  orderOf(readPlan(`# Tasks\n\n${text}`), { optional: false, people: true, maxParallel: 5, ...choice }, most).map(
    (step) => step.map(({ id }) => id),
  );

describe("orderOf", () => {
  it("returns tasks in the order of the plan, and marked ones in parallel if that is allowed", () => {
    const text = "- [x] 1.1 A\n- [ ] 1.2 B\n- [ ] 1.3 [P] C\n- [ ] 1.4 [P] D\n- [ ] 1.5 E\n";
    expect(orderIn(text)).toEqual([["1.2"], ["1.3", "1.4"], ["1.5"]]);
    expect(orderIn(text, { maxParallel: 1 })).toEqual([["1.2"], ["1.3"], ["1.4"], ["1.5"]]);
  });

  it("returns dependencies first, and closes groups with their tasks", () => {
    const text = [
      "- [ ] 1. Group",
      "  - [ ] 1.1 First (depends on 2)",
      "  - [ ] 1.2 Second",
      "- [ ] 2. Other (depends on 1.2)",
      "",
    ].join("\n");
    const order = orderIn(text).flat();
    expect(order.indexOf("1.2")).toBeLessThan(order.indexOf("2"));
    expect(order.indexOf("2")).toBeLessThan(order.indexOf("1.1"));
  });

  it("returns a limited number of steps, and none for a done plan", () => {
    expect(orderIn("- [ ] 1.1 A\n- [ ] 1.2 B\n", {}, 1)).toEqual([["1.1"]]);
    expect(orderIn("- [x] 1.1 A\n")).toEqual([]);
  });
});
