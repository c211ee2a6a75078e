import { describe, expect, it } from "vitest";
import { openPlan } from "../../src/markdown/document/plan-document.ts";
import { tickTask } from "../../src/markdown/tick-task.ts";
import type { RunEnding } from "../../src/model/event.ts";
import { readPolicy } from "../../src/model/policy.ts";
import type { RunRecord } from "../../src/model/record.ts";
import { apply } from "../../src/run/apply.ts";
import { newRun } from "../../src/run/new-run.ts";
import { reconcile } from "../../src/start/reconcile.ts";
import { answered } from "../support/answered.ts";

const text = "# Tasks\n\n- [x] 1.0 Zero\n- [ ] 1.1 One\n- [ ] 1.2 Two\n  - **Do**: Work\n- [ ] 1.3 Three\n";
const chosen = answered("run#1/chooseTask", { kind: "task", root: "1.1", current: "1.1", spent: {} });
const batch = answered("run#1/chooseTask", { kind: "batch", members: [{ root: "1.1" }, { root: "1.2" }] });
const begun: RunRecord = {
  ...{ type: "delegated", key: "1.1#1", task: "1.1", role: "executor", attempt: 1, retries: 0, elapsedMs: 0 },
};
const replied = answered("1.1#1/delegate", { kind: "replied" });
const judged = (kind: string, more: object = {}): RunRecord => answered("1.1#1/verify", { kind, ...more });
const ended = (outcome: RunEnding, planHash = text): RunRecord => ({
  ...{ type: "ended", planHash, denial: null },
  ending: {
    ...{ type: "run.ended", outcome, exitCode: 0, original: 1, fixes: 0, attempts: 1, skipped: [], tickedByHand: 0 },
    durationMs: 0,
  },
});
const policy = readPolicy({});

/** @param found The plan as it is now. */
function settled(records: readonly RunRecord[], { found = text, before = text as string | null, other = policy } = {}) {
  const state = newRun();
  for (const record of records) apply(state, record);
  return reconcile(
    { state, ended: state.ended, policy: other, answeredUnder: policy },
    { before: before === null ? undefined : openPlan(before), found: openPlan(found), hashOf: (each) => each },
  );
}

describe("reconcile", () => {
  it("takes the plan as it is for a run that is begun", () => {
    const plan = { before: undefined, found: openPlan(text), hashOf: String };
    const begins = reconcile({ state: null, ended: null, policy, answeredUnder: policy }, plan);
    expect(begins).toMatchObject({ killed: false, change: null, ticks: [], standing: null, midTurn: false });
    expect(begins.base([])).toBeUndefined();
  });

  it("goes on in the turn of a start that was killed, where the plan is as it was left", () => {
    expect(settled([chosen])).toMatchObject({ killed: true, change: null, midTurn: true, toJudge: false });
    expect(settled([chosen], { before: null })).toMatchObject({ midTurn: true });
    expect(settled([chosen, { type: "left" }])).toMatchObject({ midTurn: false });
    expect(settled([chosen], { other: readPolicy({ maxTaskIterations: 9 }) })).toMatchObject({ midTurn: false });
    // Nobody was let at the plan: who has ticked it was a person.
    expect(settled([chosen], { found: tickTask(text, "1.2") })).toMatchObject({ midTurn: false, ticks: [] });
    const cleared = text.replace("[x] 1.0", "[ ] 1.0");
    expect(settled([chosen], { found: cleared })).toMatchObject({ midTurn: false });
    expect(
      settled([chosen, begun, judged("accepted"), ended("interrupted"), { type: "continued" }], {
        found: tickTask(text, "1.1"),
      }),
    ).toMatchObject({ midTurn: true });
  });

  it("has a person accept what others have changed in open tasks, but for those whose executors were at work", () => {
    const changed = text.replace("Do**: Work", "Do**: Nothing");
    expect(settled([chosen, begun], { found: changed })).toMatchObject({ midTurn: false });
    expect(settled([chosen, begun], { found: changed }).change).toContain("1.2");
    const noted = text.replace("1.1 One", "1.1 One\n  - A note");
    expect(settled([chosen, begun], { found: noted }).change).toBeNull();
    const own = text.replace("1.1 One", "1.1 One\n  - **Do**: More");
    expect(settled([chosen, begun], { found: own }).change).toContain("1.1");
    // Who has told its end has told the plan as it was left.
    expect(settled([chosen, ended("interrupted")], { found: changed }).change).toBeNull();
    expect(settled([chosen, ended("interrupted", "other")], { found: changed }).change).toContain("1.2");
  });

  it("asks about ticks that no verdict explains, where executors were at work", () => {
    const found = ["1.1", "1.2", "1.3"].reduce((plan, task) => tickTask(plan, task), text);
    const asks = settled([chosen, begun], { found });
    expect([asks.ticks, [...(asks.standing ?? [])]]).toEqual([["1.2", "1.3"], ["1.1"]]);
    expect(asks.base([])?.text).toBe(text);
    expect(asks.base(["1.3"])?.text).toBe(tickTask(text, "1.3"));
    // A task that is new has nothing to be put back to.
    expect(settled([chosen, begun], { found: `${text}- [x] 1.4 Four\n` }).base(["1.4"])?.text).toBe(text);
    const twice = text.replace("1.3 Three", "1.2 Three");
    expect(settled([chosen, begun], { before: twice, found: tickAll(twice) }).ticks).toEqual([]);
    expect(settled([chosen, begun, judged("accepted")], { found }).ticks).toEqual(["1.2", "1.3"]);
    // A claim is judged from the boxes as they stand.
    expect(settled([chosen, begun, replied], { found })).toMatchObject({ toJudge: true, ticks: [], standing: null });
    const left = settled([chosen, begun, replied, { type: "left" }], { found });
    expect(left).toMatchObject({ midTurn: false, ticks: ["1.2", "1.3"], standing: new Set() });
  });

  it("opens again what was cleared while executors were at work", () => {
    const cleared = text.replace("[x] 1.0", "[ ] 1.0");
    expect(settled([chosen, begun], { found: cleared }).base([])?.text).toBe(cleared);
    expect(settled([chosen, begun, ended("interrupted")], { found: cleared }).base([])).toBeUndefined();
  });

  it("ticks again what has passed beside executors that were at work, and what their saves have lost", () => {
    const passed = text.replace("[ ] 1.1", "[x] 1.1");
    const beside: RunRecord = { ...begun, key: "1.2#1", task: "1.2" } as RunRecord;
    const records = [batch, begun, beside, judged("accepted"), answered("1.1#1/recordPass", { kind: "recorded" })];
    const lost = settled(records, { before: passed });
    expect([lost.lost, lost.base([])?.text]).toEqual([["1.1"], passed]);
    expect(settled([...records, ended("interrupted")], { before: passed }).lost).toEqual([]);
    // Nothing was at work that could have lost it.
    const alone = settled(
      records.filter((record) => record !== beside),
      { before: passed },
    );
    expect([alone.lost, alone.base([])?.text]).toEqual([[], text]);
  });

  it("ticks what a person had mended before a start was killed", () => {
    const result = { exitCode: 0, stdout: "", stderr: "", durationMs: 0, timedOut: false };
    const verify = { command: "make", name: "1.1#1/mended", result, digest: null };
    const mended: RunRecord = { type: "mended", passes: ["1.0#1", "1.2#1"].map((key) => ({ key, verify })) };
    expect(settled([chosen, mended]).unticked).toEqual(["1.2"]);
    expect(settled([chosen, mended, ended("interrupted")]).unticked).toEqual([]);
  });

  it("puts the questions again that have stopped a start, about tasks that are open", () => {
    const asked = answered("1.1#1/askPerson", { kind: "gate", reason: "Why?", hint: "" });
    const isAsked = (records: readonly RunRecord[], found = text) => [...settled(records, { found }).questions];
    expect(isAsked([chosen, begun, asked, ended("gate")])).toEqual(["1.1#1/askPerson"]);
    expect(settled([chosen, begun, asked, ended("gate", "other")])).toMatchObject({ midTurn: true });
    expect(isAsked([chosen, begun, asked])).toEqual(["1.1#1/askPerson"]);
    expect(isAsked([chosen, begun, asked, ended("environment")])).toEqual(["1.1#1/askPerson"]);
    expect(isAsked([chosen, begun, asked, ended("interrupted")])).toEqual([]);
    expect(isAsked([chosen, begun, asked, judged("failed")])).toEqual([]);
    expect(isAsked([batch, begun, asked, ended("gate")])).toEqual([]);
    expect(isAsked([chosen, begun, asked, ended("gate")], tickTask(text, "1.1"))).toEqual([]);
    // Its own change may have ticked it.
    const planned: RunRecord = {
      ...{ type: "planned", key: "1.1#1", change: "SPLIT_TASK" },
      plan: { task: "1.1", place: "behind", tick: true, tasks: [] },
    };
    expect(isAsked([chosen, begun, planned, asked, ended("gate")], tickTask(text, "1.1"))).toEqual(["1.1#1/askPerson"]);
  });
});

const tickAll = (plan: string): string => plan.replaceAll("- [ ]", "- [x]");
