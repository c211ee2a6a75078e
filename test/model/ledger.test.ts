import { describe, expect, it } from "vitest";
import { repairs, type SpentByTask, spentOn } from "../../src/model/ledger.ts";

const spent: SpentByTask = {
  "1.3": { attempts: 2, retries: 0, fixes: ["1.3.1"] },
  "1.3.1": { attempts: 1, retries: 0, fixes: ["1.3.1.1"] },
};

describe("spentOn", () => {
  it("is what a task has spent", () => {
    expect(spentOn(spent, "1.3")).toEqual({ attempts: 2, retries: 0, fixes: ["1.3.1"] });
  });

  it.each(["2.1", "toString", "__proto__"])("is nothing for %s, which has no entry", (task) => {
    expect(spentOn(spent, task)).toEqual({ attempts: 0, retries: 0, fixes: [] });
  });
});

describe("repairs", () => {
  it("is the task for which a fix was made", () => {
    expect(repairs(spent, "1.3.1.1")).toBe("1.3.1");
    expect(repairs(spent, "1.3")).toBeUndefined();
  });
});
