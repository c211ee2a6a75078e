import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { partId, partNumber, plannedTask, wholeOf } from "../../src/model/part-id.ts";
import { taskIds } from "../../src/testing/arbitraries.ts";
import { prop } from "../support/prop.ts";

describe("ids of parts", () => {
  it("name the whole and a number from 1", () => {
    expect(partId("1.3", 1)).toBe("1.3~1");
    expect(partId("1.3.1~2", 3)).toBe("1.3.1~2~3");
  });

  it("lead back to the whole, the number and the task of the plan", () => {
    expect(wholeOf("1.3~1~12")).toBe("1.3~1");
    expect(partNumber("1.3~1~12")).toBe(12);
    expect(plannedTask("1.3~1~12")).toBe("1.3");
  });

  it("are those of no planned task", () => {
    expect(wholeOf("1.3.1")).toBeNull();
    expect(plannedTask("1.3.1")).toBe("1.3.1");
    expect(plannedTask("")).toBe("");
  });
});

describe("ids of parts, for every task and every nesting", () => {
  const numbers = fc.array(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 5 });

  prop("read as what they were made from", [taskIds(), numbers], (task, nesting) => {
    let id = task;
    for (const n of nesting) {
      const part = partId(id, n);
      expect(wholeOf(part)).toBe(id);
      expect(partNumber(part)).toBe(n);
      id = part;
    }
    expect(plannedTask(id)).toBe(task);
  });
});
