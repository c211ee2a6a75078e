import { describe, expect, it } from "vitest";
import type { Directive } from "../../src/model/directive.ts";
import type { Level } from "../../src/model/escalation.ts";
import type { RunRecord } from "../../src/model/record.ts";
import { apply } from "../../src/run/apply.ts";
import { newRun } from "../../src/run/new-run.ts";
import { answered } from "../support/answered.ts";
import { measuredFailure, plainFailure } from "../support/sample-failure.ts";
import { sampleFix } from "../support/sample-fix.ts";

const delegated = (key: string, level?: Level): RunRecord => {
  const [task = "", number] = key.split("#");
  return {
    ...{ type: "delegated", key, task, role: "executor", attempt: Number(number), retries: 0, elapsedMs: 0 },
    ...(level !== undefined && { level }),
  };
};
const failed = (key: string, ids: readonly string[] = ["a"]): RunRecord =>
  answered(`${key}/readFailure`, measuredFailure(ids));
const limited = (key: string): RunRecord =>
  answered(`${key}/readFailure`, plainFailure("limit", { kind: "rate-limit", until: 7 }));
const intended = (id: string, fixOf: string): RunRecord => ({
  ...{ type: "intended", key: `${fixOf}#1`, fix: { ...sampleFix, id, fixOf } },
});
const passed = (key: string): RunRecord => answered(`${key}/recordPass`, { kind: "recorded" });
const said = (answer: object): RunRecord => answered("1.1#1/askPerson", answer);
const directed = (key: string, directive: Directive): RunRecord =>
  answered(`${key}/askOperator`, { kind: "directed", directive });

function stateOf(...records: readonly RunRecord[]) {
  const state = newRun();
  for (const record of records) apply(state, record);
  return state;
}
const treeOf = (...records: readonly RunRecord[]) => stateOf(...records).trees["1.1"];
const climbOf = (...records: readonly RunRecord[]) => treeOf(...records)?.escalation;

describe("a level", () => {
  it("is that of the delegation, and its attempts are counted by it", () => {
    expect(climbOf(delegated("1.1#1"))).toBeUndefined();
    expect(climbOf(delegated("1.1#1", "normal"))).toBeUndefined();
    expect(climbOf(delegated("1.1#1", "pivot"))).toMatchObject({ level: "pivot", pivots: 1, researches: 0 });
    const both = [delegated("1.1#1", "pivot"), delegated("1.1#2", "research")];
    expect(climbOf(...both)).toMatchObject({ level: "research", pivots: 1, researches: 1 });
  });

  it("has another attempt once one was given back, which is then made at none", () => {
    const once = [delegated("1.1#1", "pivot"), limited("1.1#1")];
    expect(climbOf(...once)).toMatchObject({ pivots: 0, level: "pivot" });
    expect(climbOf(...once, limited("1.1#1"))).toMatchObject({ pivots: 0 });
    expect(stateOf(...once).turn.levels).toEqual({ "1.1": "normal" });
    expect(climbOf(delegated("1.1#1"), limited("1.1#1"))).toBeUndefined();
    expect(climbOf(limited("1.1#1"))).toBeUndefined();
  });

  it("is counted once for a delegation that is repeated after a crash", () => {
    expect(climbOf(delegated("1.1#1", "pivot"), delegated("1.1#1", "pivot"))).toMatchObject({ pivots: 1 });
  });

  it("is that of the planned task for all its fixes and parts", () => {
    const below = [intended("1.1.1", "1.1"), delegated("1.1.1#1", "pivot"), delegated("1.1~1#1", "research")];
    expect(Object.keys(stateOf(...below).trees)).toEqual(["1.1"]);
    expect(climbOf(...below)).toMatchObject({ pivots: 1, researches: 1 });
  });

  it("is the one an approach is noted with", () => {
    const signs = { changed: true, strategy: "guess", fileState: "s", findings: [], admission: null };
    const watched = answered("1.1#1/readFailure", { ...measuredFailure(["a"]), signs });
    expect(climbOf(delegated("1.1#1", "research"), watched)?.approaches).toMatchObject([
      { level: "research", task: "1.1", strategy: "guess" },
    ]);
  });
});

describe("a pass", () => {
  const stuck = [delegated("1.1#1"), failed("1.1#1"), delegated("1.1#2", "pivot"), failed("1.1#2")];

  it("of a planned task has its tree forgotten, but for that and what a person has said", () => {
    expect(treeOf(...stuck)).toMatchObject({ escalation: { failures: 2 } });
    expect(stateOf(...stuck, passed("1.1#3")).trees).toEqual({});
    const guided: RunRecord = { type: "guided", task: "1.1", text: "Read the log" };
    const repair = directed("1.1#1", { strategy: "retry", adjustment: "Slower" });
    expect(stateOf(...stuck, guided, repair, passed("1.1#3")).trees).toEqual({
      "1.1": { guidance: "Read the log", passed: true },
    });
    expect(stateOf(delegated("1.1#1"), passed("1.1#1")).trees).toEqual({});
  });

  it("of a part is the way back to normal, with nothing that was in a row", () => {
    expect(climbOf(...stuck, passed("1.1~1#1"))).toMatchObject({
      ...{ level: "normal", sameErrors: 0, lastFingerprint: null, pivots: 1, failures: 2 },
    });
    expect(climbOf(delegated("1.1#1"), failed("1.1#1"), passed("1.1~1#1"))).toMatchObject({ sameErrors: 0 });
  });

  it("of a fix below the first level keeps the error, for it may come again", () => {
    const fixed = [intended("1.1.1", "1.1"), passed("1.1.1#1")];
    expect(climbOf(delegated("1.1#1"), failed("1.1#1"), ...fixed)).toMatchObject({ sameErrors: 1, failures: 1 });
    expect(climbOf(...stuck, ...fixed)).toMatchObject({ level: "normal", sameErrors: 0, pivots: 1 });
  });
});

describe("a directive", () => {
  const spentAfter = (directive: Directive) => stateOf(delegated("1.1#1"), directed("1.1#1", directive)).tasks["1.1"];

  it("spends of the budget where it changes the work", () => {
    expect(spentAfter({ strategy: "retry", adjustment: "Slower" })).toStrictEqual({
      ...{ attempts: 1, retries: 0, fixes: [], repairs: 1 },
    });
    expect(spentAfter({ strategy: "decompose", parts: ["One", "Two"] })).toEqual({
      ...{ attempts: 1, retries: 0, fixes: [], repairs: 1, parts: ["One", "Two"] },
    });
    const untouched = { attempts: 1, retries: 0, fixes: [] };
    expect(spentAfter({ strategy: "prune", justification: "gone" })).toEqual(untouched);
    expect(spentAfter({ strategy: "escalate", tried: "all", decision: "which" })).toEqual(untouched);
  });

  it("is kept in the tree of its planned task, oldest first", () => {
    const [one, other] = [
      { strategy: "retry", adjustment: "Slower" },
      { strategy: "prune", justification: "gone" },
    ] as const;
    const repairs = [intended("1.1.1", "1.1"), directed("1.1#1", one), directed("1.1.1#1", other)];
    expect(treeOf(...repairs)).toEqual({
      repairs: [
        { task: "1.1", directive: one },
        { task: "1.1.1", directive: other },
      ],
    });
  });
});

describe("a person", () => {
  const stuck = [
    ...[delegated("1.1#1"), failed("1.1#1"), directed("1.1#1", { strategy: "retry", adjustment: "Slower" })],
    ...[delegated("1.1#2", "pivot"), failed("1.1#2")],
  ];
  const gate = said({ kind: "gate", reason: "What now?", hint: "Say it" });

  it("is known to have been asked until there is an answer", () => {
    expect(climbOf(...stuck)).toMatchObject({ asked: false });
    expect(climbOf(...stuck, said({ kind: "decided", decision: "stop" }))).toMatchObject({ asked: false });
    expect(climbOf(...stuck, gate)).toMatchObject({ asked: true, level: "pivot", failures: 2 });
    expect(climbOf(...stuck, gate, said({ kind: "decided", decision: "retry" }))).toMatchObject({ asked: false });
    expect(climbOf(...stuck, gate, said({ kind: "decided", decision: "stop" }))).toMatchObject({ asked: true });
  });

  it.each([
    { kind: "guided", text: "Read the log" },
    { kind: "guided", text: "" },
    { kind: "decided", decision: "retry" },
  ])("lets a task begin anew: %j", (answer) => {
    const { trees, tasks } = stateOf(...stuck, gate, said(answer));
    expect(trees["1.1"]).toMatchObject({ escalation: { level: "normal", pivots: 0, failures: 0, asked: false } });
    expect(trees["1.1"]).not.toHaveProperty("repairs");
    expect(tasks["1.1"]).toMatchObject({ attempts: 2, retries: 0, repairs: 0, waits: 2 });
  });

  it.each(["stop", "skip", "skip-task"])("does not let it begin anew: %s", (decision) => {
    const { trees, tasks } = stateOf(...stuck, gate, said({ kind: "decided", decision }));
    expect(trees["1.1"]).toMatchObject({ escalation: { pivots: 1, failures: 2 }, repairs: [{ task: "1.1" }] });
    expect(tasks["1.1"]).toMatchObject({ attempts: 2, repairs: 1 });
  });

  it.each([
    ["skip", "normal"],
    ["skip-task", "normal"],
    ["stop", "pivot"],
  ])("who leaves something out has the rest go on at the normal level: %s", (decision, level) => {
    expect(climbOf(...stuck, gate, said({ kind: "decided", decision }))).toMatchObject({ level });
  });

  it("is heard by who is next at the task: the last advice that says something", () => {
    const guidance = (...records: readonly RunRecord[]) => treeOf(...records)?.guidance;
    expect(guidance(said({ kind: "guided", text: "Read the log" }))).toBe("Read the log");
    expect(guidance({ type: "guided", task: "1.1", text: "Read it" })).toBe("Read it");
    expect(guidance(said({ kind: "guided", text: "One" }), said({ kind: "guided", text: "" }))).toBe("One");
    expect(guidance(said({ kind: "decided", decision: "retry", text: "None" }))).toBeUndefined();
  });

  it("who advises before a start changes nothing else", () => {
    const { trees, tasks } = stateOf(...stuck);
    const advised = stateOf(...stuck, { type: "guided", task: "1.1", text: "Read it" });
    expect([advised.trees, advised.tasks]).toEqual([{ "1.1": { ...trees["1.1"], guidance: "Read it" } }, tasks]);
  });
});

describe("a claim that was rejected", () => {
  it("is a failure that reaches no minimum", () => {
    const rejected = answered("1.1#2/verify", { kind: "rejected", layer: "checkmarks", reason: "no" });
    const again: RunRecord = {
      ...{ type: "delegated", key: "1.1#2", task: "1.1", role: "executor", attempt: 2, retries: 1, elapsedMs: 0 },
    };
    const least = [delegated("1.1#1"), failed("1.1#1", ["a", "b"]), failed("1.1#1", ["a"])];
    const state = stateOf(...least, again, rejected);
    expect(state.trees["1.1"]?.escalation).toMatchObject({ failures: 3, best: { vitest: 1 } });
    expect(state.tasks["1.1"]).toMatchObject({ beforeProgress: { iterations: 1, fixes: 0 } });
  });
});
