import { describe, expect, it } from "vitest";
import { totalCap } from "../../src/model/limits.ts";
import { Policy, type PolicyInput } from "../../src/model/policy.ts";
import { explore, mostDelegations } from "../support/explore-task.ts";
import { ladderFates, ladders, others, unnamed } from "../support/ladder-arbitraries.ts";
import { playTask } from "../support/play-task.ts";
import { prop } from "../support/prop.ts";

/**
 * Delegations of the longest run of one planned task, from its policy alone, where nobody tells which checks fail. Every failed attempt but the last buys one
 * of three things: the same task again (one delegation), a fix task and its repaired task again (two), or three parts,
 * whose whole is checked without a delegation (three).
 */
function longestLadder(given: PolicyInput): number {
  const policy = Policy.parse(given);
  const has = (rung: Policy["recovery"][number]): boolean => policy.recovery.includes(rung);
  const levels = (has("pivot") ? policy.maxPivotAttempts : 0) + (has("research") ? policy.maxResearchAttempts : 0);
  const cap = totalCap(policy) ?? Number.POSITIVE_INFINITY;
  // The cap is on attempts at levels where there are any, else on failed ones.
  const climbs = Math.min(levels, cap);
  const failures = has("pivot") || has("research") ? Number.POSITIVE_INFINITY : cap - 1;
  const budget = has("repair") ? policy.repairBudget : 0;
  const mostFixes = has("fix") ? Math.min(policy.maxFixTasksPerRoot, treeBelow(policy, 0)) : 0;
  let longest = 0;
  for (let fixes = 0; fixes <= mostFixes; fixes++) {
    // The operator is asked about tasks that are allowed no fix; parts are none of those that are.
    const splits = has("fix") && unfixable(policy, fixes) < 1 ? 0 : budget;
    for (let split = 0; split <= splits; split++) {
      const left = failures - fixes - split;
      if (left < 0) continue;
      const again = (policy.maxTaskIterations - 1) * (1 + fixes + 3 * split) + climbs;
      longest = Math.max(longest, 1 + Math.min(again, left) + 2 * fixes + 3 * split);
    }
  }
  return longest;
}

type FixLimits = Pick<Policy, "maxFixTasksPerOriginal" | "maxFixTaskDepth" | "maxFixTasksPerRoot">;

/** Fixes that depth and number of fixes allow below a task. */
const treeBelow = (limits: FixLimits, depth: number): number =>
  depth === limits.maxFixTaskDepth ? 0 : limits.maxFixTasksPerOriginal * (1 + treeBelow(limits, depth + 1));

/** The most tasks of a tree of so many fixes for which there may be no further one. */
function unfixable(limits: FixLimits, fixes: number): number {
  if (fixes === limits.maxFixTasksPerRoot) return 1 + fixes;
  const below = (depth: number, left: number): number => {
    if (depth === limits.maxFixTaskDepth) return left === 0 ? 1 : Number.NEGATIVE_INFINITY;
    return spread(depth, left, limits.maxFixTasksPerOriginal);
  };
  /** So many fixes spread over the fix tasks that a task may still have, and those below them. */
  const spread = (depth: number, left: number, places: number): number => {
    if (places === 0) return left === 0 ? 1 : Number.NEGATIVE_INFINITY;
    // Places that stay empty leave the task fixable.
    let most = left === 0 ? 0 : Number.NEGATIVE_INFINITY;
    for (let first = 1; first <= left; first++) {
      most = Math.max(most, below(depth + 1, first - 1) + spread(depth, left - first, places - 1));
    }
    return most;
  };
  return below(0, fixes);
}

const fixes = (maxFixTasksPerOriginal: number, maxFixTaskDepth: number, maxFixTasksPerRoot: number) => ({
  ...{ maxFixTasksPerOriginal, maxFixTaskDepth, maxFixTasksPerRoot },
});
const climbs = (maxPivotAttempts: number, maxResearchAttempts: number) => ({ maxPivotAttempts, maxResearchAttempts });

const once = { maxTaskIterations: 1 } as const;
const twice = { maxTaskIterations: 2 } as const;
const up = ["pivot", "research", "checkpoint"] as const;

const families: Record<string, PolicyInput[]> = {
  "repair alone": [
    ...[0, 1, 2, 3].map((repairBudget) => ({ recovery: ["repair" as const], ...once, repairBudget })),
    ...[1, 2].map((repairBudget) => ({ recovery: ["repair" as const], ...twice, repairBudget })),
    ...[1, 2, 3, 5, 8].map((maxTotalAttempts) => ({ recovery: ["repair" as const], ...once, maxTotalAttempts })),
    { recovery: ["repair"], ...twice, repairBudget: 2, maxTotalAttempts: 4 },
  ],
  "escalation alone": [
    { recovery: [...up] },
    { recovery: ["pivot", "checkpoint"], ...once },
    { recovery: ["research", "checkpoint"], ...once },
    { recovery: ["checkpoint"], ...once },
    { recovery: ["pivot"], ...once, maxPivotAttempts: 2 },
    { recovery: [...up], ...once, ...climbs(2, 0) },
    { recovery: [...up], ...once, ...climbs(0, 2) },
    { recovery: [...up], ...once, maxTotalAttempts: 3 },
  ],
  "retries, then escalation": [
    { recovery: ["retry", ...up] },
    { recovery: ["retry", ...up], maxTaskIterations: 3 },
    { recovery: ["retry", ...up], ...twice, ...climbs(1, 1) },
    { recovery: ["retry", ...up], maxTotalAttempts: 4 },
    { recovery: ["retry", "pivot"], ...twice, maxPivotAttempts: 2 },
  ],
  "retries, then repair": [
    { recovery: ["retry", "repair"], ...twice, repairBudget: 1 },
    { recovery: ["retry", "repair"], ...twice, repairBudget: 2 },
    { recovery: ["repair", "retry"], ...twice, repairBudget: 1 },
  ],
  "fixes, then escalation": [
    { recovery: ["fix", ...up], ...once, ...fixes(1, 1, 1), ...climbs(1, 1) },
    { recovery: ["fix", ...up], ...twice, ...fixes(1, 1, 1), ...climbs(1, 1) },
    { recovery: ["fix", ...up], ...once, ...fixes(2, 2, 6), ...climbs(1, 0) },
    { recovery: ["fix", ...up], ...once, ...fixes(2, 2, 6), ...climbs(1, 1), maxTotalAttempts: 4 },
    { recovery: ["fix", "pivot"], ...once, ...fixes(2, 1, 2), maxPivotAttempts: 2 },
  ],
  "fixes, then repair": [
    { recovery: ["fix", "repair"], ...once, ...fixes(1, 1, 1), repairBudget: 1 },
    { recovery: ["fix", "repair"], ...once, ...fixes(1, 1, 1), repairBudget: 2 },
    { recovery: ["fix", "repair"], ...once, ...fixes(2, 1, 2), repairBudget: 2 },
    { recovery: ["fix", "repair"], ...once, ...fixes(1, 2, 2), repairBudget: 2 },
    { recovery: ["fix", "repair"], ...twice, ...fixes(1, 1, 1), repairBudget: 1 },
    { recovery: ["repair", "fix"], ...once, ...fixes(1, 1, 1), repairBudget: 1 },
    { recovery: ["fix", "repair"], ...once, ...fixes(2, 2, 6), repairBudget: 2, maxTotalAttempts: 3 },
    { recovery: ["fix", "repair"], ...once, ...fixes(2, 2, 3), repairBudget: 2, maxTotalAttempts: 5 },
  ],
  "repair, then escalation": [
    { recovery: ["repair", ...up], ...once, ...climbs(1, 1), repairBudget: 1 },
    { recovery: ["repair", ...up], ...once, ...climbs(1, 1), repairBudget: 2 },
    { recovery: ["repair", ...up], ...twice, ...climbs(1, 0), repairBudget: 1, maxTotalAttempts: 6 },
  ],
  "all remedies": [
    { recovery: ["fix", "repair", ...up], ...once, ...fixes(1, 1, 1), ...climbs(1, 1), repairBudget: 1 },
    {
      ...{ recovery: ["fix", "repair", ...up], ...once, ...fixes(1, 1, 1), ...climbs(1, 1), repairBudget: 1 },
      maxTotalAttempts: 3,
    },
    {
      ...{ recovery: ["fix", "repair", ...up], ...twice, ...fixes(1, 1, 1), ...climbs(1, 0), repairBudget: 1 },
      maxTotalAttempts: 6,
    },
    {
      ...{ recovery: ["retry", "fix", "repair", ...up], ...twice, ...fixes(1, 1, 1), ...climbs(1, 1), repairBudget: 1 },
      maxTotalAttempts: 100,
    },
  ],
};

describe("I1: the longest run of a task, found by walking every way through the machine, is what its policy adds up to", () => {
  describe.each(Object.entries(families))("%s", (_, policies) => {
    it.each(policies.map((policy) => [JSON.stringify(policy), policy] as const))("%s", (_name, policy) => {
      expect(mostDelegations(explore({ policy }))).toBe(longestLadder(policy));
    });
  });

  it("is the first attempt and three parts for each directive for repair alone, where no claim is rejected", () => {
    const longest = (repairBudget: number) => longestLadder({ recovery: ["repair"], ...once, repairBudget });
    expect([0, 1, 2, 3].map(longest)).toEqual([1, 4, 7, 10]);
  });

  it("is the first attempt and those of each level for escalation alone", () => {
    expect(longestLadder({ recovery: [...up], ...once })).toBe(1 + 3 + 3);
  });

  // An operator that is asked before a fix is written is asked about other tasks than the sum says.
  const summed = ladders.filter(({ recovery = [] }) => !/repair.*fix/.test(recovery.join(" ")));

  prop("adds up to no less than larger policies lead to", [summed, ladderFates, others], (policy, fates, given) => {
    const attempts = fates.filter((fate) => fate !== "hindered" && fate !== "replaced").map(unnamed);
    const { delegated } = playTask({ root: "1", policy }, attempts, { operator: given.operator ?? [] });
    expect(delegated.length).toBeLessThanOrEqual(longestLadder(policy));
  });
});
