import { describe, expect, it } from "vitest";
import { type Level, noEscalation } from "../../src/model/escalation.ts";
import { readPolicy } from "../../src/model/policy.ts";
import { countAtLevel } from "../../src/recover/count-at-level.ts";

describe("countAtLevel", () => {
  it.each([
    ["normal", 0, 0],
    ["pivot", 2, 4],
    ["research", 1, 5],
    ["checkpoint", 0, 0],
  ] as const)("at %s is %i of %i", (level: Level, attempt, max) => {
    const policy = readPolicy({ maxPivotAttempts: 4, maxResearchAttempts: 5 });
    expect(countAtLevel({ ...noEscalation, level, pivots: 2, researches: 1 }, policy)).toEqual({ attempt, max });
  });
});
