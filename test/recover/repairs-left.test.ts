import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { repairsOn, type Spent, type SpentByTask, spentOn } from "../../src/model/ledger.ts";
import { partId } from "../../src/model/part-id.ts";
import { budgetHolder, repairsLeft } from "../../src/recover/repairs-left.ts";
import { prop } from "../support/prop.ts";

const root = "1.3";

/** What was spent after a directive for a task was followed. */
function follow(spent: SpentByTask, task: string, parts: readonly string[] = []): SpentByTask {
  const change = (before: SpentByTask, id: string, part: Partial<Spent>) => ({
    ...before,
    [id]: { ...spentOn(before, id), ...part },
  });
  const holder = budgetHolder(root, task);
  const counted = change(spent, holder, { repairs: repairsOn(spent, holder) + 1 });
  return parts.length === 0 ? counted : change(counted, task, { parts: [...parts] });
}

describe("repairsLeft", () => {
  it("is the whole budget for a task that nothing was spent on", () => {
    expect(repairsLeft({}, 2, root, root)).toBe(2);
    expect(repairsLeft({}, 0, root, root)).toBe(0);
  });

  it("is one budget for a planned task and its fixes", () => {
    const spent = follow({}, "1.3.1");
    expect(budgetHolder(root, "1.3.1.1")).toBe(root);
    expect(repairsLeft(spent, 2, root, root)).toBe(1);
    expect(repairsLeft(spent, 2, root, "1.3.1")).toBe(1);
    expect(repairsLeft(follow(spent, root), 2, root, "1.3.1.1")).toBe(0);
  });

  it("is that of the planned task, too, for a fix that is finished alone", () => {
    const spent = { ...follow({}, root), [root]: { ...spentOn(follow({}, root), root), fixes: ["1.3.1"] } };
    expect(repairsLeft(spent, 2, "1.3.1", "1.3.1.1")).toBe(1);
    expect(repairsLeft(spent, 2, "1.3.1", "1.3.1")).toBe(1);
  });

  it("gives each part what was left for the whole, and the whole nothing", () => {
    const spent = follow({}, root, ["a", "b"]);
    expect(repairsLeft(spent, 3, root, root)).toBe(0);
    expect(repairsLeft(spent, 3, root, "1.3~1")).toBe(2);
    expect(repairsLeft(spent, 3, root, "1.3~2")).toBe(2);
  });

  it("counts the directives for a part on that part", () => {
    const spent = follow(follow({}, root, ["a", "b"]), "1.3~1");
    expect(budgetHolder(root, "1.3~1")).toBe("1.3~1");
    expect(repairsLeft(spent, 3, root, "1.3~1")).toBe(1);
    expect(repairsLeft(spent, 3, root, "1.3~2")).toBe(2);
  });

  it("gives parts of parts what was left for those, and parts of a fix what was left for its tree", () => {
    const nested = follow(follow({}, root, ["a", "b"]), "1.3~1", ["c", "d"]);
    expect(repairsLeft(nested, 3, root, "1.3~1")).toBe(0);
    expect(repairsLeft(nested, 3, root, "1.3~1~2")).toBe(1);
    expect(repairsLeft(nested, 3, root, "1.3~2")).toBe(2);
    const fixed = follow(follow({}, root), "1.3.1", ["a", "b"]);
    expect(repairsLeft(fixed, 3, root, "1.3.1~1")).toBe(1);
  });

  it("is never below nothing, when the budget was lowered since", () => {
    const spent = follow(follow(follow({}, root), root), root, ["a", "b"]);
    expect(repairsLeft(spent, 1, root, "1.3.1")).toBe(0);
    expect(repairsLeft(spent, 1, root, "1.3~1")).toBe(0);
  });
});

/** The most delegations that a task can take: whatever is chosen for it, and with every part failing, too. */
function mostCalls(spent: SpentByTask, budget: number, task: string): number {
  const left = repairsLeft(spent, budget, root, task);
  if (left === 0) return 1;
  const retried = mostCalls(follow(spent, task), budget, task);
  const decomposed = [2, 3].map((count) => {
    const parts = Array.from({ length: count }, (_, index) => partId(task, index + 1));
    const after = follow(spent, task, parts);
    expect(repairsLeft(after, budget, root, task)).toBe(0);
    for (const part of parts) expect(repairsLeft(after, budget, root, part)).toBe(left - 1);
    return parts.reduce((calls, part) => calls + mostCalls(after, budget, part), 0);
  });
  return 1 + Math.max(retried, ...decomposed);
}

/** 1, 4, 13, 40, … */
const bound = (budget: number): number => (budget === 0 ? 1 : 1 + 3 * bound(budget - 1));

describe("the delegations of a task that is repaired", () => {
  it.each([
    [0, 1],
    [1, 4],
    [2, 13],
    [3, 40],
    [4, 121],
  ])("are with a budget of %i at most %i, whatever is chosen", (budget, calls) => {
    expect(bound(budget)).toBe(calls);
    expect(mostCalls({}, budget, root)).toBe(calls);
  });
});

describe("repairsLeft, for every sequence of directives", () => {
  const budgets = fc.integer({ min: 0, max: 6 });
  const picks = fc.array(fc.record({ at: fc.nat(), parts: fc.constantFrom(0, 2, 3) }), { maxLength: 40 });

  prop(
    "each directive leaves less for its task, and its parts less than it had",
    [budgets, picks],
    (budget, chosen) => {
      let spent: SpentByTask = {};
      const tasks = [root];
      for (const { at, parts } of chosen) {
        const task = tasks[at % tasks.length] as string;
        const left = repairsLeft(spent, budget, root, task);
        if (left === 0) continue;
        const ids = Array.from({ length: parts }, (_, index) => partId(task, index + 1));
        spent = follow(spent, task, ids);
        tasks.push(...ids);
        expect(repairsLeft(spent, budget, root, task)).toBeLessThan(left);
        for (const id of ids) expect(repairsLeft(spent, budget, root, id)).toBe(left - 1);
      }
      expect(tasks.every((task) => repairsLeft(spent, budget, root, task) >= 0)).toBe(true);
    },
  );
});
