import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { totalCap, totalSpent } from "../../src/model/limits.ts";
import { Policy } from "../../src/model/policy.ts";
import { escalates, escalationRungs, Rung } from "../../src/model/rung.ts";
import { prop } from "../support/prop.ts";

const accepts = (recovery: readonly string[]): boolean => Policy.safeParse({ recovery }).success;

describe("a ladder", () => {
  it.each([
    [["retry"]],
    [["repair", "fix", "retry"]],
    [["retry", "fix", "repair", "pivot", "research", "checkpoint"]],
    [["pivot"]],
    [["research"]],
    [["checkpoint"]],
    [["fix", "pivot", "checkpoint"]],
  ])("may be %j", (recovery) => {
    expect(accepts(recovery)).toBe(true);
  });

  it.each([
    [[]],
    [["retry", "retry"]],
    [["pivot", "pivot"]],
    [["pivot", "retry"]],
    [["checkpoint", "fix"]],
    [["research", "pivot"]],
    [["checkpoint", "research"]],
    [["retry", "checkpoint", "pivot"]],
    [["skip"]],
  ])("may not be %j", (recovery) => {
    expect(accepts(recovery)).toBe(false);
  });
});

describe("a ladder, for every order of every rungs", () => {
  const height = (rung: Rung): number => (escalationRungs as readonly Rung[]).indexOf(rung);

  prop(
    "stands when the rungs for being stuck are last and in order, each once",
    [fc.array(fc.constantFrom(...Rung.options), { maxLength: 7 })],
    (recovery) => {
      const heights = recovery.map(height);
      const rises = heights.every((at, index) => index === 0 || at >= (heights[index - 1] as number));
      const once = new Set(recovery).size === recovery.length;
      expect(accepts(recovery)).toBe(recovery.length > 0 && rises && once);
    },
  );

  it("stands in as many orders as there are", () => {
    const ladders = (chosen: readonly Rung[]): number =>
      Rung.options
        .filter((rung) => !chosen.includes(rung))
        .reduce((count, rung) => count + ladders([...chosen, rung]), accepts(chosen) ? 1 : 0);
    // 16 orders of some of three remedies, with 8 choices of levels above; an empty one is none.
    expect(ladders([])).toBe(16 * 8 - 1);
  });
});

describe("totalCap", () => {
  it("is what the rungs for being stuck take, and 10 at least, where there is one, unless it is given", () => {
    expect(totalCap(Policy.parse({}))).toBeNull();
    expect(totalCap(Policy.parse({ recovery: ["retry", "repair"] }))).toBeNull();
    for (const rung of escalationRungs) {
      expect(escalates({ recovery: [rung] })).toBe(true);
      expect(totalCap(Policy.parse({ recovery: ["retry", rung] }))).toBe(10);
      const many = { recovery: ["retry" as const, rung], maxPivotAttempts: 6, maxResearchAttempts: 5 };
      expect(totalCap(Policy.parse(many))).toBe(11);
    }
    expect(totalCap(Policy.parse({ maxTotalAttempts: 3 }))).toBe(3);
    expect(totalCap(Policy.parse({ recovery: ["pivot"], maxTotalAttempts: 12 }))).toBe(12);
  });

  it("counts attempts at levels where the ladder has one, else those that failed", () => {
    const spent = { failures: 9, pivots: 3, researches: 2 };
    const counted = (...recovery: Rung[]): number => totalSpent({ recovery }, spent);
    expect([counted("fix", "pivot", "checkpoint"), counted("retry", "research")]).toEqual([5, 5]);
    expect([counted("fix"), counted("retry", "checkpoint")]).toEqual([9, 9]);
  });
});
