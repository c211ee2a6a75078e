import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { totalCap } from "../../src/model/limits.ts";
import { Policy, type PolicyInput, readPolicy } from "../../src/model/policy.ts";
import { longestCourse } from "../support/longest-course.ts";
import { callBound, longestRun } from "../support/longest-run.ts";
import { type Fate, playTask } from "../support/play-task.ts";
import { prop } from "../support/prop.ts";
import { leanCounts, leanFamilies, leanFaults } from "../support/walks.ts";

const levels = ["pivot", "research", "race"] as const;
const up = ["pivot", "research", "checkpoint"] as const;
const policiesOf = (...names: readonly string[]) =>
  names.flatMap((name) => leanFamilies[name] ?? []).map(({ policy }) => policy);

describe("I1: with named checks the longest run of a task, found by a walk over every path of the machine", () => {
  const short = Object.values(leanFamilies).flatMap((walks) => walks.filter(({ isLong }) => !isLong));
  it.each(short.map(({ policy }) => policy))("equals the sum of its policy and the checks: %j", (policy) => {
    expect(leanFaults(policy)).toEqual([]);
  });

  it.each(policiesOf("retries alone"))("equals the closed form: %j", (given) => {
    const policy = Policy.parse(given);
    for (const most of leanCounts) expect([most, callBound(policy, most)]).toEqual([most, longestCourse(policy, most)]);
  });

  it.each(policiesOf("fixes alone"))("is within the closed form, and the sum over its tree: %j", (given) => {
    const policy = Policy.parse(given);
    for (const most of leanCounts) expect(longestCourse(policy, most)).toBeLessThanOrEqual(callBound(policy, most));
    expect(longestCourse(policy, 0)).toBe(longestRun(policy));
  });

  it.each(policiesOf("retries, then escalation", "fixes, then escalation"))(
    "is within the sum of the lower rungs, and of each attempt at a level with the retries that it allows again: %j",
    (given) => {
      const policy = Policy.parse(given);
      const { maxPivotAttempts, maxResearchAttempts, maxTaskIterations, recovery } = policy;
      const counted = { pivot: maxPivotAttempts, research: maxResearchAttempts, race: policy.race ?? 0 };
      const allowed = levels.reduce((sum, level) => sum + (recovery.includes(level) ? counted[level] : 0), 0);
      const climbed = Math.min(allowed, totalCap(policy) as number);
      for (const most of [...leanCounts, 9]) {
        // Progress allows another attempt even if the limit is one attempt.
        const retries = recovery.includes("retry") ? maxTaskIterations * most : 0;
        const below = Math.max(callBound(policy, most), retries);
        expect(longestCourse(policy, most)).toBeLessThanOrEqual(below + climbed * (1 + maxTaskIterations));
      }
    },
  );

  it("has, with the defaults of recovery mode, a bound of 49, 12 more for each of the first new minima, at most 85", () => {
    const policy = Policy.parse({ recovery: ["fix"] });
    const bounds = [0, 1, 2, 3, 4, 5, 100].map((most) => callBound(policy, most));
    expect(bounds).toEqual([49, 49, 61, 73, 85, 85, 85]);
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
    race: fc.constantFrom(null, 2, 3),
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

  prop("is an upper bound for all failures", [small, fc.array(fate, { maxLength: 40 })], (given, fates) => {
    const policy = readPolicy(given);
    const bound = longestCourse(policy, 3);
    expect(playTask({ root: "1", policy: given }, fates).delegated.length).toBeLessThanOrEqual(bound);
  });
});
