import { expect, it } from "vitest";
import { readPolicy } from "../../src/model/policy.ts";
import { actingLimits, allowsMore, defaultLimits } from "../../src/model/raised-limits.ts";

it("has limits as they act, and as they would by default", () => {
  const policy = readPolicy({ maxParallel: 9, idleTimeout: 5, recovery: ["retry", "checkpoint"] });
  expect(actingLimits(policy, 60)).toMatchObject({ maxParallel: 9, idleTimeout: 5, maxGlobalIterations: 120 });
  expect(defaultLimits(policy, 60)).toMatchObject({ maxParallel: 5, idleTimeout: 600_000, maxTotalAttempts: 10 });
  expect(defaultLimits(readPolicy(), 1)).toMatchObject({ maxGlobalIterations: 100, maxTotalAttempts: null });
});

it("takes no limit for more than any", () => {
  expect([
    allowsMore(null, 5),
    allowsMore(5, null),
    allowsMore(null, null),
    allowsMore(6, 5),
    allowsMore(5, 5),
  ]).toEqual([true, false, false, true, false]);
});
