import { describe, expect, it } from "vitest";
import { type Escalation, noEscalation } from "../../src/model/escalation.ts";
import { readPolicy } from "../../src/model/policy.ts";
import { chooseLevel, type Setback } from "../../src/recover/choose-level.ts";
import { setOf } from "../support/sample-failure.ts";

const stuckAfterSameErrors = 3;
const policy = readPolicy({ recovery: ["pivot", "research", "checkpoint"], stuckAfterSameErrors });
const level = (part: Partial<Escalation>, after?: Setback) =>
  chooseLevel({ ...noEscalation, failures: 1, ...part }, policy, after);

describe("chooseLevel", () => {
  it("stays where a task copes", () => {
    expect(level({})).toBe("normal");
    expect(level({ sameErrors: 2, lastFingerprint: "f", lastError: "boom" })).toBe("normal");
  });

  it("climbs when it is stuck, when its attempts are spent, and when nothing else is left", () => {
    expect(level({ sameErrors: 3 })).toBe("pivot");
    expect(level({ failures: 99 })).toBe("normal");
    expect(level({}, "exhausted")).toBe("pivot");
    expect(chooseLevel({ ...noEscalation, failures: 9 }, readPolicy({ recovery: ["checkpoint"] }))).toBe("normal");
    expect(chooseLevel({ ...noEscalation, failures: 10 }, readPolicy({ recovery: ["checkpoint"] }))).toBe("checkpoint");
  });

  it("climbs after as many failures without a new minimum, and not as long as there are new ones", () => {
    const measured = { failing: setOf("a"), change: "moved", best: { vitest: 1 }, sameErrors: 1 } as const;
    expect(level({ ...measured, sinceBest: 2 })).toBe("normal");
    expect(level({ ...measured, sinceBest: 3 })).toBe("pivot");
    expect(level({ ...measured, sinceBest: 0, sameErrors: 9, unchanged: 9 })).toBe("normal");
  });

  it("does not hold what was seen before against a claim that was not in order", () => {
    expect(level({ sameErrors: 3 }, "rejected")).toBe("normal");
    const once = readPolicy({ recovery: ["pivot"], maxTaskIterations: 1, stuckAfterSameErrors });
    expect(chooseLevel({ ...noEscalation, sameErrors: 3 }, once, "rejected")).toBe("normal");
    const changed = readPolicy({ recovery: ["retry", "pivot"], stuckAfterSameErrors });
    const left: Escalation = { ...noEscalation, level: "research", sameErrors: 3 };
    expect(chooseLevel(left, changed, "rejected")).toBe("normal");
    expect(chooseLevel(left, changed, "failed")).toBe("pivot");
  });

  it("goes on at the level it has climbed to, until that is used up", () => {
    expect(level({ level: "pivot", pivots: 1 })).toBe("pivot");
    expect(level({ level: "pivot", pivots: 3 })).toBe("research");
    expect(level({ level: "research", pivots: 3, researches: 1 }, "rejected")).toBe("research");
    expect(level({ level: "research", pivots: 3, researches: 3 })).toBe("checkpoint");
  });

  it("has no level where the ladder has none", () => {
    const retrying = readPolicy({ recovery: ["retry"] });
    expect(chooseLevel({ ...noEscalation, sameErrors: 9 }, retrying)).toBe("normal");
  });
});
