import { describe, expect, it } from "vitest";
import { openPlan } from "../../src/markdown/document/plan-document.ts";
import { tickTask } from "../../src/markdown/tick-task.ts";
import type { RunEnding } from "../../src/model/event.ts";
import { withTicks } from "../../src/model/plan-parts.ts";
import { readPolicy } from "../../src/model/policy.ts";
import type { RunRecord } from "../../src/model/record.ts";
import { apply } from "../../src/run/apply.ts";
import { newRun } from "../../src/run/new-run.ts";
import { resume } from "../../src/run/resume.ts";
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

function settled(records: readonly RunRecord[], { found = text, before = text as string | null, other = policy } = {}) {
  const state = newRun();
  for (const record of records) apply(state, record);
  const resumed = resume(
    { state, ended: state.ended, policy: other, answeredUnder: policy },
    { known: before === null ? null : openPlan(before), found: openPlan(found), hashOf: (each) => each },
  );
  const left = (kept: readonly string[] = []): string | null => {
    const boxes = resumed.boxes(kept);
    return boxes && withTicks(openPlan(found), boxes);
  };
  return { ...resumed, left };
}

describe("resume", () => {
  it("accepts the current plan for a new run", () => {
    const plan = { known: null, found: openPlan(text), hashOf: String };
    const begins = resume({ state: null, ended: null, policy, answeredUnder: policy }, plan);
    expect(begins).toMatchObject({ change: null, ticks: [], standing: null, midTurn: false });
    expect([begins.boxes([]), begins.leave(plan.found.plan)]).toEqual([null, []]);
  });

  it("resumes the turn of a killed start, if the plan is unchanged", () => {
    expect(settled([chosen])).toMatchObject({ change: null, midTurn: true, toJudge: false });
    expect(settled([chosen], { before: null })).toMatchObject({ midTurn: true });
    expect(settled([chosen, { type: "left" }])).toMatchObject({ midTurn: false });
    expect(settled([chosen], { other: readPolicy({ maxTaskIterations: 9 }) })).toMatchObject({ midTurn: false });
    // No executor worked, so only a person can have ticked the task.
    expect(settled([chosen], { found: tickTask(text, "1.2") })).toMatchObject({ midTurn: false, ticks: [] });
    const cleared = text.replace("[x] 1.0", "[ ] 1.0");
    expect(settled([chosen], { found: cleared })).toMatchObject({ midTurn: false });
    expect(
      settled([chosen, begun, judged("accepted"), ended("interrupted"), { type: "continued" }], {
        found: tickTask(text, "1.1"),
      }),
    ).toMatchObject({ midTurn: true });
  });

  it("keeps the expected plan while work is handed out: changes are judged with its report", () => {
    const out: RunRecord = { type: "handedOut", key: "1.1#1", nonceHash: "hash", since: 5 };
    const handed = [chosen, begun, out, ended("waiting")];
    const changed = { found: tickTask(text.replace("Work", "Less work"), "1.1") };
    expect(settled(handed, changed)).toMatchObject({ change: null, ticks: [], midTurn: true, isAtWork: true });
    expect(settled(handed.slice(0, -1), changed)).toMatchObject({ midTurn: true, isAtWork: true });
    expect(settled([...handed, { type: "left" }])).toMatchObject({ midTurn: false, isAtWork: false });
    const other = readPolicy({ maxTaskIterations: 9 });
    expect(settled(handed, { other })).toMatchObject({ midTurn: false, isAtWork: false });
    for (const more of [answered("1.1#1/delegate", { kind: "replied" }), begun]) {
      expect(settled([...handed, more])).toMatchObject({ isAtWork: false });
    }
  });

  it("has a person accept changes of others in open tasks, but not those of working executors", () => {
    const changed = text.replace("Do**: Work", "Do**: Nothing");
    expect(settled([chosen, begun], { found: changed })).toMatchObject({ midTurn: false });
    expect(settled([chosen, begun], { found: changed }).change).toContain("1.2");
    const noted = text.replace("1.1 One", "1.1 One\n  - A note");
    expect(settled([chosen, begun], { found: noted }).change).toBeNull();
    const own = text.replace("1.1 One", "1.1 One\n  - **Do**: More");
    expect(settled([chosen, begun], { found: own }).change).toContain("1.1");
    // A start records the plan before its end.
    expect(settled([chosen, ended("interrupted")], { found: changed }).change).toBeNull();
    expect(settled([chosen, ended("interrupted", "other")], { found: changed }).change).toContain("1.2");
  });

  it("asks about ticks without a verdict if executors were working", () => {
    const found = ["1.1", "1.2", "1.3"].reduce((plan, task) => tickTask(plan, task), text);
    const asks = settled([chosen, begun], { found });
    expect([asks.ticks, [...(asks.standing ?? [])]]).toEqual([["1.2", "1.3"], ["1.1"]]);
    expect(asks.left()).toBe(text);
    expect(asks.left(["1.3"])).toBe(tickTask(text, "1.3"));
    const added = `${text}- [x] 1.4 Four\n`;
    expect(settled([chosen, begun], { found: added }).left()).toBe(`${text}- [ ] 1.4 Four\n`);
    expect(settled([chosen, begun], { found: added }).left(["1.4"])).toBe(added);
    const twice = text.replace("1.3 Three", "1.2 Three");
    expect(settled([chosen, begun], { before: twice, found: tickAll(twice) }).ticks).toEqual([]);
    expect(settled([chosen, begun, judged("accepted")], { found }).ticks).toEqual(["1.2", "1.3"]);
    // A claim without a verdict is judged by the boxes, so no person is asked about ticks.
    expect(settled([chosen, begun, replied], { found })).toMatchObject({ toJudge: true, ticks: [], standing: null });
    const left = settled([chosen, begun, replied, { type: "left" }], { found });
    expect(left).toMatchObject({ midTurn: false, ticks: ["1.2", "1.3"], standing: new Set() });
  });

  it("asks about no tick of a group, which is ticked with its children", () => {
    const grouped = `${text}- [ ] 2 Group\n  - [ ] 2.1 One\n`;
    const found = ["1.1", "2.1", "2"].reduce((plan, task) => tickTask(plan, task), grouped);
    expect(settled([chosen, begun], { before: grouped, found }).ticks).toEqual(["2.1"]);
  });

  it("recognizes its own intended writes if they are in the plan", () => {
    const planned = (key: string, id: string, tick?: true): RunRecord => ({
      ...{ type: "planned", key, change: "SPLIT_TASK" },
      plan: {
        task: "1.2",
        place: "behind",
        ...(tick && { tick }),
        tasks: [{ id, markers: [], title: "N", fields: {} }],
      },
    });
    const fix: RunRecord = {
      ...{ type: "intended", key: "1.1#1" },
      fix: {
        id: "1.1.1",
        fixOf: "1.1",
        summary: "s",
        error: "",
        attemptedFix: "",
        doneWhen: "",
        files: "",
        verify: "",
        commit: "",
      },
    };
    const cause = { kind: "check", check: "c", job: null, head: "h" } as const;
    const addition: RunRecord = {
      ...{ type: "addition", key: "pr#1/addPullRequestTask", cause, checks: ["c"] },
      plan: { task: "1.3", place: "behind", tasks: [{ id: "1.4", markers: [], title: "Four", fields: {} }] },
    };
    const added = (line: string, before = text) => before.replace("- [ ] 1.3", `${line}\n- [ ] 1.3`);
    const two: RunRecord = { ...begun, key: "1.2#1", task: "1.2" } as RunRecord;
    for (const [records, line] of [
      [[fix], "- [ ] 1.1.1 [FIX 1.1] Mend"],
      [[planned("1.2#1", "1.2a")], "- [ ] 1.2a New"],
      [[addition], "- [ ] 1.4 Four"],
    ] as const) {
      expect(settled([chosen, begun, ...records], { found: added(line) })).toMatchObject({
        change: null,
        midTurn: true,
      });
      const other = added(line.replace("1.", "9."));
      expect(settled([chosen, begun, ...records], { found: other }).change).toContain("was added to the plan");
    }
    // The reverted split had also set the tick.
    const split = [chosen, two, planned("1.2#1", "1.2a", true)];
    const found = added("- [ ] 1.2a New", tickTask(text, "1.2"));
    expect([settled(split, { found }).ticks, settled(split, { found }).left()]).toEqual([[], found]);
    expect(settled([...split, { type: "left" }], { found }).left()).toBe(found);
    // The insertion was answered. A fix that the expected plan lacks must come from someone else.
    const made = [chosen, begun, fix, answered("1.1#1/insertFix", { kind: "inserted", fix: "1.1.1" })];
    expect(settled(made, { found: added("- [ ] 1.1.1 [FIX 1.1] Mend") }).change).toContain("1.1.1 was added");
  });

  it("reopens tasks that were cleared while executors worked", () => {
    const cleared = text.replace("[x] 1.0", "[ ] 1.0");
    expect(settled([chosen, begun], { found: cleared }).left()).toBe(cleared);
    expect(settled([chosen, begun, ended("interrupted")], { found: cleared }).left()).toBeNull();
    // The changed text needs acceptance only if the done task is reopened.
    const rewritten = text.replace("1.0 Zero", "1.0 Nothing");
    expect(settled([chosen, begun], { found: rewritten }).change).toBeNull();
    expect(settled([chosen, begun], { found: rewritten.replace("[x] 1.0", "[ ] 1.0") }).change).toContain(
      "title of task 1.0",
    );
  });

  it("restores ticks of passed tasks that saves of working executors lost", () => {
    const passed = text.replace("[ ] 1.1", "[x] 1.1");
    const beside: RunRecord = { ...begun, key: "1.2#1", task: "1.2" } as RunRecord;
    const records = [batch, begun, beside, judged("accepted"), answered("1.1#1/recordPass", { kind: "recorded" })];
    const lost = settled(records, { before: passed });
    expect([lost.lost, lost.left()]).toEqual([["1.1"], passed]);
    expect(settled([...records, ended("interrupted")], { before: passed }).lost).toEqual([]);
    // No other executor worked, so no concurrent save can have removed the tick.
    const alone = settled(
      records.filter((record) => record !== beside),
      { before: passed },
    );
    expect([alone.lost, alone.left()]).toEqual([[], text]);
  });

  it("ticks a manual fix from before a start was killed", () => {
    const result = { exitCode: 0, stdout: "", stderr: "", durationMs: 0, timedOut: false };
    const verify = { command: "make", name: "1.1#1/mended", result, digest: null };
    const mended: RunRecord = { type: "mended", passes: ["1.0#1", "1.2#1"].map((key) => ({ key, verify })) };
    expect(settled([chosen, mended]).unticked).toEqual(["1.2"]);
    expect(settled([chosen, mended, ended("interrupted")]).unticked).toEqual([]);
  });

  it("repeats the questions that stopped a start, about open tasks", () => {
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
    const planned: RunRecord = {
      ...{ type: "planned", key: "1.1#1", change: "SPLIT_TASK" },
      plan: { task: "1.1", place: "behind", tick: true, tasks: [] },
    };
    expect(isAsked([chosen, begun, planned, asked, ended("gate")], tickTask(text, "1.1"))).toEqual(["1.1#1/askPerson"]);
  });
});

const tickAll = (plan: string): string => plan.replaceAll("- [ ]", "- [x]");
