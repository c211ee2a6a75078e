import { describe, expect, it } from "vitest";
import {
  attemptsOnParts,
  climbFor,
  fixesIn,
  leaveOut,
  partsLeftOut,
  prunedIn,
  reset,
  skipOf,
  withRepair,
} from "../../machines/task-moves.ts";
import { type Level, noEscalation } from "../../src/model/escalation.ts";
import { repairsLeft, spentOn } from "../../src/model/ledger.ts";
import { readPolicy } from "../../src/model/policy.ts";
import type { Rung } from "../../src/model/rung.ts";
import type { TaskContext } from "../../src/model/task-context.ts";

const at = (level: Level, recovery: Rung[]) =>
  climbFor({
    escalation: { ...noEscalation, level, pivots: 2, researches: 1 },
    policy: readPolicy({ recovery }),
  } as TaskContext);

describe("climbFor", () => {
  it("tells the level of an attempt, and which of its attempts it is", () => {
    expect(at("pivot", ["pivot", "research"])).toEqual({ level: "pivot", attempt: 2, max: 3 });
    expect(at("research", ["pivot", "research"])).toEqual({ level: "research", attempt: 1, max: 3 });
    expect(at("normal", ["pivot", "research"])).toBeNull();
  });

  it("tells none that the ladder does not have any more", () => {
    expect(at("pivot", ["fix"])).toBeNull();
    expect(at("checkpoint", ["checkpoint"])).toBeNull();
  });
});

describe("withRepair", () => {
  it("counts a directive for a fix that is finished alone in the budget of the planned task", () => {
    const spent = { "1.1": { ...spentOn({}, "1.1"), fixes: ["1.1.1"] } };
    const context = { root: "1.1.1", current: "1.1.1", spent, repairs: [] } as unknown as TaskContext;
    const moved = withRepair(context, { strategy: "retry", adjustment: "x" });
    expect(moved).toMatchObject({ spent: { "1.1.1": { repairs: 1 } }, remedy: "repair" });
    expect(repairsLeft(moved.spent ?? {}, 2)).toBe(1);
  });
});

describe("the parts of a task", () => {
  const context = {
    current: "1.3",
    spent: {
      "1.3": { ...spentOn({}, "1.3"), parts: ["read", "sort", "write"] },
      "1.3~1": { ...spentOn({}, "1.3~1"), attempts: 2 },
      "1.3~3": { ...spentOn({}, "1.3~3"), attempts: 1 },
    },
    leftOut: [{ task: "1.3~2", justification: "of no use" }],
  } as unknown as TaskContext;

  it("count without those that were left out", () => {
    expect(attemptsOnParts(context)).toEqual(["1.3~1#2", "1.3~3#1"]);
    expect(partsLeftOut(context)).toBe(1);
  });
});

describe("prunedIn", () => {
  it.each([
    ["1.3", "1.3"],
    ["1.3~2", "1.3~2"],
    ["1.3.1", "1.3"],
    ["1.3.1~1", "1.3.1~1"],
  ])("is for %s, which a repair operator leaves out, %s", (current, pruned) => {
    expect(prunedIn({ root: "1.3", current } as TaskContext)).toBe(pruned);
  });
});

describe("leaveOut", () => {
  const question = { about: "blocked", text: "Which?" };
  const context = { escalation: { ...noEscalation, asked: true }, leftOut: [], question } as unknown as TaskContext;

  it("is the answer to the question, and is told as the last that was left out", () => {
    const moved = leaveOut(context, "1.3~1", "of no use");
    expect(moved).toMatchObject({ question: null, escalation: { asked: false } });
    expect(skipOf({ ...context, ...moved })).toEqual({ task: "1.3~1", justification: "of no use", by: "operator" });
    const again = leaveOut({ ...context, ...moved }, "1.3");
    expect(again.leftOut).toHaveLength(2);
    expect(skipOf({ ...context, ...again })).toEqual({
      task: "1.3",
      justification: "left out by decision of a person",
      by: "person",
    });
  });
});

describe("a task that is reset", () => {
  it("keeps its fixes, and no directive", () => {
    const spent = { "1.3": { ...spentOn({}, "1.3"), fixes: ["1.3.1"] }, "1.3.1": spentOn({}, "1.3.1") };
    const repairs = [{ task: "1.3", directive: { strategy: "retry", adjustment: "a" } }];
    const moved = reset({ current: "1.3~2", spent, escalation: noEscalation, repairs, remedy: "repair" } as never);
    expect(moved).toMatchObject({ current: "1.3", repairs: [], remedy: null });
    expect(fixesIn(moved.spent)).toEqual(["1.3.1"]);
  });

  it("has the fixes of its whole tree", () => {
    const tree = { ...spentOn({}, "1.3"), fixes: ["1.3.1", "1.3.2"] };
    expect(fixesIn({ "1.3": tree, "1.3.1": { ...tree, fixes: ["1.3.1.1"] } })).toEqual(["1.3.1", "1.3.2", "1.3.1.1"]);
  });
});
