import { describe, expect, it } from "vitest";
import {
  afterNewMinimum,
  fixesOn,
  fixesSinceProgress,
  iterationsOn,
  oneRepair,
  repairs,
  repairsLeft,
  SpentByTask,
  spentAfterReset,
  spentOn,
  supersededIn,
} from "../../src/model/ledger.ts";

const spent: SpentByTask = {
  "1.3": { attempts: 2, retries: 0, fixes: ["1.3.1"] },
  "1.3.1": { attempts: 1, retries: 0, fixes: ["1.3.1.1"] },
};

describe("spentOn", () => {
  it("is what a task has spent", () => {
    expect(spentOn(spent, "1.3")).toEqual({ attempts: 2, retries: 0, fixes: ["1.3.1"] });
  });

  it.each(["2.1", "toString", "__proto__"])("is empty for %s, which has no entry", (task) => {
    expect(spentOn(spent, task)).toEqual({ attempts: 0, retries: 0, fixes: [] });
  });
});

describe("repairsLeft", () => {
  const follow = (before: SpentByTask, task: string): SpentByTask => ({
    ...before,
    [task]: { ...spentOn(before, task), ...oneRepair(spentOn(before, task)) },
  });

  it("is the whole budget for a tree that has spent nothing", () => {
    expect(repairsLeft({}, 2)).toBe(2);
    expect(repairsLeft(spent, 0)).toBe(0);
  });

  it("is one budget for a planned task, its fixes, its parts and theirs: each directive reduces it by one", () => {
    let tree = spent;
    for (const [index, task] of ["1.3", "1.3.1", "1.3~1", "1.3~1~2", "1.3.1~1"].entries()) {
      expect(repairsLeft(tree, 5)).toBe(5 - index);
      tree = follow(tree, task);
    }
    expect(repairsLeft(tree, 5)).toBe(0);
  });

  it("is never negative, even if the budget was lowered since", () => {
    expect(repairsLeft(follow(follow({}, "1.3"), "1.3~1"), 1)).toBe(0);
  });
});

describe("repairs", () => {
  it("is the task for which a fix was made", () => {
    expect(repairs(spent, "1.3.1.1")).toBe("1.3.1");
    expect(repairs(spent, "1.3")).toBeUndefined();
  });
});

const measured: SpentByTask = {
  "1.3": { attempts: 5, retries: 3, fixes: ["1.3.1", "1.3.2"], beforeProgress: { iterations: 2, fixes: 1 } },
  "1.3.1": { attempts: 1, retries: 0, fixes: [] },
};

describe("iterationsOn", () => {
  it("counts plain and rejected delegations since the tree last made progress", () => {
    expect(iterationsOn(spent, "1.3")).toBe(1);
    expect(iterationsOn(spent, "9.9")).toBe(1);
    expect(iterationsOn({ "1.3": { attempts: 4, retries: 3, fixes: [] } }, "1.3")).toBe(4);
    expect(iterationsOn(measured, "1.3")).toBe(2);
  });
});

describe("fixesSinceProgress", () => {
  it("counts fix tasks since the tree last made progress", () => {
    expect([fixesSinceProgress(spent, "1.3"), fixesOn(spent, "1.3")]).toEqual([1, 1]);
    expect([fixesSinceProgress(measured, "1.3"), fixesOn(measured, "1.3")]).toEqual([1, 2]);
    expect(fixesSinceProgress(spent, "9.9")).toBe(0);
  });
});

describe("afterNewMinimum", () => {
  it("restarts limits on one task, and keeps all spent counts", () => {
    const after = afterNewMinimum(measured);
    for (const task of Object.keys(measured)) {
      expect(iterationsOn(after, task)).toBe(0);
      expect(fixesSinceProgress(after, task)).toBe(0);
      expect(spentOn(after, task)).toMatchObject({ ...spentOn(measured, task), beforeProgress: expect.anything() });
    }
    const { "1.3": on } = after;
    const later = { ...after, "1.3": { ...on, attempts: 7, retries: 5, fixes: ["1.3.1", "1.3.2", "1.3.3"] } };
    expect([iterationsOn(later, "1.3"), fixesSinceProgress(later, "1.3")]).toEqual([2, 1]);
    expect(afterNewMinimum({})).toEqual({});
    expect(SpentByTask.parse(after)).toEqual(after);
  });

  it("keeps earlier fixes when a person resets a task", () => {
    const fresh = spentAfterReset(spentOn(measured, "1.3"));
    expect(fresh.beforeProgress).toEqual({ ...spentOn(measured, "1.3").beforeProgress, iterations: 0 });
    expect(fresh).toMatchObject({ attempts: 5, waits: 5, retries: 0, fixes: ["1.3.1", "1.3.2"] });
  });
});

it("supersededIn returns the superseded fix tasks", () => {
  const taken = { ...spent, "1.3.1": { ...spentOn(spent, "1.3.1"), supersededBy: "1.3.2" } };
  expect(supersededIn(taken)).toEqual(["1.3.1"]);
  expect(supersededIn(spent)).toEqual([]);
  expect(SpentByTask.parse(taken)).toEqual(taken);
});

it("spentAfterReset keeps the fix tasks of a task from before its progress, and no iterations", () => {
  const spent = { attempts: 4, retries: 2, fixes: ["1.2"], tooLong: 1, beforeProgress: { iterations: 3, fixes: 1 } };
  expect(spentAfterReset(spent)).toEqual({
    ...{ attempts: 4, retries: 0, fixes: ["1.2"], repairs: 0, waits: 4 },
    beforeProgress: { iterations: 0, fixes: 1 },
  });
});
