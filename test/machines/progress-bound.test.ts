import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Policy, type PolicyInput, totalCap } from "../../src/model/policy.ts";
import { explore, leanWith, mostDelegations } from "../support/explore-task.ts";
import { longestCourse } from "../support/longest-course.ts";
import { callBound } from "../support/longest-run.ts";
import { type Fate, playTask } from "../support/play-task.ts";
import { prop } from "../support/prop.ts";

const up = ["pivot", "research", "checkpoint"] as const;
const once = { maxTaskIterations: 1 } as const;
const twice = { maxTaskIterations: 2 } as const;
const fixes = (maxFixTasksPerOriginal: number, maxFixTaskDepth: number, maxFixTasksPerRoot: number) => ({
  ...{ maxFixTasksPerOriginal, maxFixTaskDepth, maxFixTasksPerRoot },
});
const climbs = (maxPivotAttempts: number, maxResearchAttempts: number) => ({ maxPivotAttempts, maxResearchAttempts });

const families: Record<string, PolicyInput[]> = {
  "retries alone": [1, 2, 3].map((maxTaskIterations) => ({ recovery: ["retry" as const], maxTaskIterations })),
  "fixes alone": [
    { recovery: ["fix"], ...once, ...fixes(1, 1, 1) },
    { recovery: ["fix"], ...twice, ...fixes(1, 1, 1) },
    { recovery: ["fix"], ...once, ...fixes(1, 1, 2) },
    { recovery: ["fix"], ...twice, ...fixes(1, 1, 2) },
    { recovery: ["fix"], ...once, ...fixes(2, 1, 3) },
    { recovery: ["fix"], ...twice, ...fixes(2, 1, 3) },
    { recovery: ["fix"], ...twice, ...fixes(1, 2, 2) },
    { recovery: ["fix"], ...once, ...fixes(2, 2, 3) },
    { recovery: ["fix"], ...twice, ...fixes(2, 2, 2) },
    { recovery: ["fix"], ...once, ...fixes(2, 2, 4) },
  ],
  "retries, then escalation": [
    { recovery: ["retry", ...up], ...once, ...climbs(1, 0) },
    { recovery: ["retry", ...up], ...twice, ...climbs(1, 1) },
    { recovery: ["retry", ...up], ...twice, ...climbs(1, 1), maxTotalAttempts: 5 },
    { recovery: ["retry", ...up], ...twice, ...climbs(1, 1), stuckAfterSameErrors: 1 },
    {
      recovery: ["retry", ...up],
      maxTaskIterations: 3,
      ...climbs(1, 0),
      stuckAfterSameErrors: 2,
      maxTotalAttempts: 30,
    },
    { recovery: ["retry", "pivot"], ...twice, maxPivotAttempts: 1 },
  ],
  "fixes, then escalation": [
    { recovery: ["fix", ...up], ...once, ...fixes(1, 1, 1), ...climbs(1, 1) },
    { recovery: ["fix", ...up], ...twice, ...fixes(1, 1, 1), ...climbs(1, 0) },
    { recovery: ["fix", ...up], ...once, ...fixes(1, 2, 2), ...climbs(1, 0), stuckAfterSameErrors: 2 },
    { recovery: ["fix", ...up], ...once, ...fixes(2, 2, 2), ...climbs(1, 0), maxTotalAttempts: 5 },
    { recovery: ["fix", "pivot"], ...once, ...fixes(2, 1, 2), maxPivotAttempts: 1 },
  ],
};

const counts = [0, 1, 2, 3];

describe("I1: with checks that tests name the longest run of a task, found by walking every way through the machine", () => {
  describe.each(Object.entries(families))("is what its policy and the checks add up to: %s", (_, policies) => {
    it.each(policies.map((policy) => [JSON.stringify(policy), policy] as const))("%s", (_name, given) => {
      const policy = Policy.parse(given);
      for (const most of counts) {
        const longest = longestCourse(policy, most);
        expect([most, mostDelegations(explore({ policy: given }, leanWith(most)))]).toEqual([most, longest]);
      }
    });
  });

  it.each([...(families["retries alone"] ?? []), ...(families["fixes alone"] ?? [])])(
    "is the closed form: %j",
    (given) => {
      const policy = Policy.parse(given);
      for (const most of counts) expect([most, callBound(policy, most)]).toEqual([most, longestCourse(policy, most)]);
    },
  );

  it.each([...(families["retries, then escalation"] ?? []), ...(families["fixes, then escalation"] ?? [])])(
    "is within what the cap on failed attempts allows, where each buys a fix and the task again: %j",
    (given) => {
      const policy = Policy.parse(given);
      const failures = (totalCap(policy) as number) - 1;
      const made = policy.recovery.includes("fix") ? Math.min(failures, policy.maxFixTasksPerRoot) : 0;
      for (const most of [...counts, 9]) {
        expect(longestCourse(policy, most)).toBeLessThanOrEqual(1 + failures + made);
      }
    },
  );

  it("is with the defaults of recovery mode 59, 15 more for each of the first new minima, and 104 at most", () => {
    const policy = Policy.parse({ recovery: ["fix"] });
    const bounds = [0, 1, 2, 3, 4, 5, 100].map((most) => callBound(policy, most));
    expect(bounds).toEqual([59, 59, 74, 89, 104, 104, 104]);
  });

  const few = (max: number) => fc.integer({ min: 0, max });
  const small: fc.Arbitrary<PolicyInput> = fc.record({
    recovery: fc
      .tuple(fc.subarray(["retry", "fix"] as const, { minLength: 1 }), fc.subarray([...up]))
      .map(([low, high]) => [...low, ...high]),
    maxTaskIterations: fc.integer({ min: 1, max: 2 }),
    maxFixTasksPerOriginal: few(2),
    maxFixTaskDepth: few(2),
    maxFixTasksPerRoot: few(3),
    maxPivotAttempts: few(1),
    maxResearchAttempts: few(1),
    maxTotalAttempts: fc.integer({ min: 1, max: 6 }),
    stuckAfterSameErrors: fc.integer({ min: 1, max: 3 }),
  });
  const names = fc.subarray(["a", "b", "c"], { minLength: 1 });
  const fate: fc.Arbitrary<Fate> = fc.oneof(
    { weight: 5, arbitrary: fc.record({ error: fc.constant("e"), failing: names }) },
    { weight: 2, arbitrary: fc.record({ error: fc.constantFrom("one", "two") }) },
    { weight: 1, arbitrary: fc.record({ error: fc.constant("one"), admission: fc.constant("lost") }) },
    { weight: 2, arbitrary: fc.record({ left: names }) },
    { weight: 2, arbitrary: fc.constantFrom<Fate>("accepted", "rejected") },
  );

  prop(
    "adds up to no less than whatever fails leads to",
    [small, fc.array(fate, { maxLength: 40 })],
    (given, fates) => {
      const policy = Policy.parse(given);
      const bound = longestCourse(policy, 3);
      expect(playTask({ root: "1", policy: given }, fates).delegated.length).toBeLessThanOrEqual(bound);
    },
  );
});
