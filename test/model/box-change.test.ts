import { describe, expect, it } from "vitest";
import { readPlan } from "../../src/markdown/read-plan.ts";
import { boxChange, boxesOf, joinBoxes, withBoxes } from "../../src/model/box-change.ts";

const before = readPlan("- [x] 1.1 A\n- [ ] 1.2 B\n- [ ] 1.3 C\n");
const after = readPlan("- [ ] 1.1 A\n- [x] 1.2 B\n- [ ] 1.3 C\n- [x] 1.4 D\n- [ ] 1.5 E\n");

describe("boxChange", () => {
  it("is what was ticked and cleared; a new task had no tick", () => {
    expect(boxChange(before, after)).toEqual({ set: ["1.2", "1.4"], cleared: ["1.1"] });
  });

  it("is null when nothing was", () => {
    expect(boxChange(before, readPlan("- [x] 1.1 Renamed\n- [ ] 1.6 New\n"))).toBeNull();
    expect(boxChange(before, before)).toBeNull();
  });
});

describe("withBoxes", () => {
  it("is the plan with those boxes, and the others as they are", () => {
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
  it("is what is left of two changes, one behind the other", () => {
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
  it("is what of a change is about some tasks", () => {
    const change = { set: ["1.1", "1.2"], cleared: ["1.3"] };
    expect(boxesOf(change, new Set(["1.2", "1.3"]))).toEqual({ set: ["1.2"], cleared: ["1.3"] });
    expect(boxesOf(change, new Set(["1.3"]))).toEqual({ set: [], cleared: ["1.3"] });
    expect(boxesOf(change, new Set(["1.4"]))).toBeNull();
  });
});
