import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Escalation, type Level, noEscalation } from "../../src/model/escalation.ts";
import type { FailureDigest, MadeFor } from "../../src/model/failure.ts";
import type { SpentByTask } from "../../src/model/ledger.ts";
import { readPolicy } from "../../src/model/policy.ts";
import { fixFor } from "../../src/recover/decide.ts";
import { chooseLevel, countAtLevel, type Setback } from "../../src/recover/levels.ts";
import { prop } from "../support/prop.ts";
import { countOf, measuredFailure, plainFailure, setOf } from "../support/sample-failure.ts";

const stuckAfterSameErrors = 3;
const policy = readPolicy({ recovery: ["pivot", "research", "checkpoint"], stuckAfterSameErrors });
const level = (part: Partial<Escalation>, after?: Setback) =>
  chooseLevel({ ...noEscalation, failures: 1, ...part }, policy, after);

describe("chooseLevel", () => {
  it("stays normal while a task makes progress", () => {
    expect(level({})).toBe("normal");
    expect(level({ sameErrors: 2, lastFingerprint: "f", lastError: "boom" })).toBe("normal");
  });

  it("climbs if it is stuck, if its attempts are spent, and if nothing else is left", () => {
    expect(level({ sameErrors: 3 })).toBe("pivot");
    expect(level({ failures: 99 })).toBe("normal");
    expect(level({}, "exhausted")).toBe("pivot");
    expect(chooseLevel({ ...noEscalation, failures: 9 }, readPolicy({ recovery: ["checkpoint"] }))).toBe("normal");
    expect(chooseLevel({ ...noEscalation, failures: 10 }, readPolicy({ recovery: ["checkpoint"] }))).toBe("checkpoint");
  });

  it("climbs after the allowed failures without a new minimum, but not while there are new minima", () => {
    const measured = { failing: setOf("a"), change: "moved", best: { vitest: 1 }, sameErrors: 1 } as const;
    expect(level({ ...measured, sinceBest: 2 })).toBe("normal");
    expect(level({ ...measured, sinceBest: 3 })).toBe("pivot");
    expect(level({ ...measured, sinceBest: 0, sameErrors: 9, unchanged: 9 })).toBe("normal");
  });

  it("does not count earlier signs of being stuck against a rejected claim", () => {
    expect(level({ sameErrors: 3 }, "rejected")).toBe("normal");
    const once = readPolicy({ recovery: ["pivot"], maxTaskIterations: 1, stuckAfterSameErrors });
    expect(chooseLevel({ ...noEscalation, sameErrors: 3 }, once, "rejected")).toBe("normal");
    const changed = readPolicy({ recovery: ["retry", "pivot"], stuckAfterSameErrors });
    const left: Escalation = { ...noEscalation, level: "research", sameErrors: 3 };
    expect(chooseLevel(left, changed, "rejected")).toBe("normal");
    expect(chooseLevel(left, changed, "failed")).toBe("pivot");
  });

  it("stays at its level until the level is used up", () => {
    expect(level({ level: "pivot", pivots: 1 })).toBe("pivot");
    expect(level({ level: "pivot", pivots: 3 })).toBe("research");
    expect(level({ level: "research", pivots: 3, researches: 1 }, "rejected")).toBe("research");
    expect(level({ level: "research", pivots: 3, researches: 3 })).toBe("checkpoint");
  });

  it("has no level if the ladder has none", () => {
    const retrying = readPolicy({ recovery: ["retry"] });
    expect(chooseLevel({ ...noEscalation, sameErrors: 9 }, retrying)).toBe("normal");
  });
});

describe("countAtLevel", () => {
  it.each([
    ["normal", 0, 0],
    ["pivot", 2, 4],
    ["research", 1, 5],
    ["checkpoint", 0, 0],
  ] as const)("at level %s is %i of %i", (level: Level, attempt, max) => {
    const policy = readPolicy({ maxPivotAttempts: 4, maxResearchAttempts: 5 });
    expect(countAtLevel({ ...noEscalation, level, pivots: 2, researches: 1 }, policy)).toEqual({ attempt, max });
  });
});

const spent = (madeFor?: MadeFor): SpentByTask => ({
  "1.3": { attempts: 1, retries: 0, fixes: ["1.3.1"] },
  "1.3.1": { attempts: 1, retries: 0, fixes: ["1.3.1.1"], ...(madeFor !== undefined && { madeFor }) },
  "1.3.1.1": { attempts: 1, retries: 0, fixes: [] },
});
const placeOf = (failure: FailureDigest | null, madeFor?: MadeFor, current = "1.3.1") =>
  fixFor({ root: "1.3", current, spent: spent(madeFor), failure });
const beside = { task: "1.3", supersedes: "1.3.1" };
const below = { task: "1.3.1", supersedes: null };
const made = { fingerprint: "#a", failing: setOf("a", "b") };

describe("fixFor", () => {
  it("makes a fix for the planned task if the planned task failed", () => {
    expect(placeOf(measuredFailure(["a"]), made, "1.3")).toEqual({ task: "1.3", supersedes: null });
    expect(fixFor({ root: "9", current: "9", spent: {}, failure: null })).toEqual({ task: "9", supersedes: null });
  });

  it.each([
    ["the same checks", ["a", "b"]],
    ["a part of these checks", ["b"]],
  ])("supersedes a fix that was made for some checks, and failed with %s", (_, ids) => {
    expect(placeOf(measuredFailure(ids), made)).toEqual(beside);
  });

  it.each([
    ["another check", ["c"]],
    ["more checks", ["a", "b", "c"]],
    ["a part of these checks and more", ["b", "c"]],
  ])("makes a child of a fix that was made for some checks, and failed with %s", (_, ids) => {
    expect(placeOf(measuredFailure(ids), made)).toEqual(below);
  });

  it("compares numbers if names are not known", () => {
    const counted = (count: number) =>
      placeOf(measuredFailure(["a"], { failing: countOf(count) }), {
        ...{ fingerprint: "0", failing: countOf(4) },
      });
    expect([3, 4, 5].map((count) => counted(count).task)).toEqual(["1.3", "1.3", "1.3.1"]);
  });

  it("compares the error if a failure set is missing on one side", () => {
    const error = plainFailure("boom");
    const same = { fingerprint: error.fingerprint };
    expect(placeOf(error, same)).toEqual(beside);
    expect(placeOf(error, { ...same, failing: setOf("a") })).toEqual(beside);
    expect(placeOf(plainFailure("other"), same)).toEqual(below);
    expect(placeOf(measuredFailure(["a"], { fingerprint: error.fingerprint }), same)).toEqual(beside);
  });

  it("makes a child of a fix with an unknown reason, and of a fix whose claim was rejected", () => {
    expect(placeOf(measuredFailure(["a"]))).toEqual(below);
    expect(placeOf(null, made)).toEqual(below);
  });

  it("supersedes a fix among the fixes of its parent", () => {
    const deep: SpentByTask = { ...spent(), "1.3.1.1": { attempts: 1, retries: 0, fixes: [], madeFor: made } };
    expect(fixFor({ root: "1.3", current: "1.3.1.1", spent: deep, failure: measuredFailure(["a"]) })).toEqual({
      ...{ task: "1.3.1", supersedes: "1.3.1.1" },
    });
  });

  prop(
    "a fix supersedes another exactly if that caused no new failure",
    [fc.subarray(["a", "b", "c", "d"], { minLength: 1 }), fc.subarray(["a", "b", "c", "d"], { minLength: 1 })],
    (before, after) => {
      const madeFor = { fingerprint: "0", failing: setOf(...before) };
      const isOld = after.every((id) => before.includes(id));
      expect(placeOf(measuredFailure(after), madeFor)).toEqual(isOld ? beside : below);
    },
  );
});
