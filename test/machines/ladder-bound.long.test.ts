import { describe, expect, it } from "vitest";
import type { PolicyInput } from "../../src/model/policy.ts";
import { explore, mostDelegations } from "../support/explore-task.ts";
import { ladderFates, ladders, others, unnamed } from "../support/ladder-arbitraries.ts";
import { longestLadder } from "../support/longest-ladder.ts";
import { playTask } from "../support/play-task.ts";
import { prop } from "../support/prop.ts";

const fixes = (maxFixTasksPerOriginal: number, maxFixTaskDepth: number, maxFixTasksPerRoot: number) => ({
  ...{ maxFixTasksPerOriginal, maxFixTaskDepth, maxFixTasksPerRoot },
});
const climbs = (maxPivotAttempts: number, maxResearchAttempts: number) => ({ maxPivotAttempts, maxResearchAttempts });

const once = { maxTaskIterations: 1 } as const;
const twice = { maxTaskIterations: 2 } as const;
const up = ["pivot", "research", "checkpoint"] as const;

const families: Record<string, PolicyInput[]> = {
  "repair alone": [
    ...[1, 2].map((repairBudget) => ({ recovery: ["repair" as const], maxTaskIterations: 4, repairBudget })),
    { recovery: ["repair"], maxTaskIterations: 3, repairBudget: 2 },
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
    { recovery: ["retry", "repair"], maxTaskIterations: 3, repairBudget: 1 },
    { recovery: ["retry", "repair"], ...twice, repairBudget: 2 },
    { recovery: ["repair", "retry"], ...twice, repairBudget: 1 },
  ],
  "fixes alone": [
    { recovery: ["fix"], maxTaskIterations: 4, ...fixes(1, 1, 1) },
    { recovery: ["fix"], maxTaskIterations: 3, ...fixes(2, 1, 2) },
    { recovery: ["fix"], maxTaskIterations: 4, ...fixes(2, 1, 2) },
    { recovery: ["fix"], maxTaskIterations: 3, ...fixes(1, 2, 2) },
    { recovery: ["fix"], maxTaskIterations: 4, ...fixes(3, 1, 3) },
  ],
  "fixes, then escalation": [
    { recovery: ["fix", ...up], ...once, ...fixes(1, 1, 1), ...climbs(1, 1) },
    { recovery: ["fix", ...up], ...twice, ...fixes(1, 1, 1), ...climbs(1, 1) },
    { recovery: ["fix", ...up], maxTaskIterations: 4, ...fixes(1, 1, 1), ...climbs(1, 1) },
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
    { recovery: ["fix", "repair"], maxTaskIterations: 3, ...fixes(1, 1, 1), repairBudget: 1 },
    { recovery: ["fix", "repair"], maxTaskIterations: 4, ...fixes(1, 1, 1), repairBudget: 2 },
    { recovery: ["repair", "fix"], ...once, ...fixes(1, 1, 1), repairBudget: 1 },
    { recovery: ["fix", "repair"], ...once, ...fixes(2, 2, 6), repairBudget: 2, maxTotalAttempts: 3 },
    { recovery: ["fix", "repair"], ...once, ...fixes(2, 2, 3), repairBudget: 2, maxTotalAttempts: 5 },
  ],
  "repair, then escalation": [
    { recovery: ["repair", ...up], ...once, ...climbs(1, 1), repairBudget: 1 },
    { recovery: ["repair", ...up], ...once, ...climbs(1, 1), repairBudget: 2 },
    { recovery: ["repair", ...up], ...twice, ...climbs(1, 0), repairBudget: 1, maxTotalAttempts: 6 },
    { recovery: ["repair", ...up], maxTaskIterations: 4, ...climbs(1, 1), repairBudget: 1 },
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

describe("I1: the longest run of a task, found by a walk over every path of the machine, equals the sum of its policy", () => {
  describe.each(Object.entries(families))("%s", (_, policies) => {
    it.each(policies.map((policy) => [JSON.stringify(policy), policy] as const))("%s", (_name, policy) => {
      expect(mostDelegations(explore({ policy }))).toBe(longestLadder(policy));
    });
  });

  it("is, with repair alone, the first attempt and three parts for each directive, if no claim is rejected", () => {
    const longest = (repairBudget: number) => longestLadder({ recovery: ["repair"], ...once, repairBudget });
    expect([0, 1, 2, 3].map(longest)).toEqual([1, 4, 7, 10]);
  });

  it("is, with escalation alone, the first attempt and those of each level", () => {
    expect(longestLadder({ recovery: [...up], ...once })).toBe(1 + 3 + 3);
  });

  // Skips ladders with `repair` before `fix`, where the operator also decides on tasks that the sum excludes.
  const summed = ladders.filter(({ recovery = [] }) => !/repair.*fix/.test(recovery.join(" ")));

  prop("is an upper bound of all larger policies", [summed, ladderFates, others], (policy, fates, given) => {
    const attempts = fates.filter((fate) => fate !== "hindered" && fate !== "replaced").map(unnamed);
    const { delegated } = playTask({ root: "1", policy }, attempts, { operator: given.operator ?? [] });
    expect(delegated.length).toBeLessThanOrEqual(longestLadder(policy));
  });
});
