import { describe, expect, it } from "vitest";
import { createActor } from "xstate";
import { effect } from "../../machines/effect.ts";
import { createEscalationMachine } from "../../machines/escalation.ts";
import { createSpecMachine } from "../../machines/spec.ts";
import { createTaskMachine } from "../../machines/task.ts";
import { createEffects } from "../../src/effects/effects.ts";
import { checkAnswer, type EffectName } from "../../src/model/effect.ts";
import { type PolicyInput, readPolicy } from "../../src/model/policy.ts";
import type { RunRecord } from "../../src/model/record.ts";
import { apply } from "../../src/run/apply.ts";
import { decideNext, nextPart } from "../../src/run/decide-next.ts";
import { decisionState, lastErrorOf, rungOf } from "../../src/run/decision-state.ts";
import { eventsOf } from "../../src/run/events-of.ts";
import { newRun } from "../../src/run/new-run.ts";
import { effectFor } from "../../src/run/requests.ts";
import { driveCharts } from "../../src/runtime/drive-charts.ts";
import { memoryStore } from "../../src/testing/memory-store.ts";
import { answered } from "../support/answered.ts";
import { memoryPorts } from "../support/memory-run.ts";
import { digest } from "../support/play-task.ts";

const choice = (root: string, current = root, more: object = {}): RunRecord =>
  answered("run#1/chooseTask", { kind: "task", root, current, ...more });
const delegated = (task: string, attempt = 1, more: object = {}): RunRecord => ({
  ...{
    type: "delegated",
    key: `${task}#${attempt}`,
    task,
    role: "executor",
    attempt,
    retries: 0,
    elapsedMs: 0,
    ...more,
  },
});
const failed = (key: string, more: object = {}): RunRecord => answered(`${key}/readFailure`, { ...digest, ...more });
const rejected = (key: string): RunRecord =>
  answered(`${key}/verify`, { kind: "rejected", layer: "commit", reason: "no commit" });

function behind(records: readonly RunRecord[], given: PolicyInput = {}, current = "1.1", root = "1.1") {
  const state = newRun();
  for (const record of records) apply(state, record);
  const policy = readPolicy(given);
  const place = { root, current };
  return {
    state,
    standing: decisionState(state, policy, place),
    decided: () => decideNext(state, policy, place),
    next: () => nextPart(state, policy, place),
    input: (name: EffectName) => effectFor(state, policy, { name, ...place, input: {} }).input as object,
    asked: (name: EffectName) => effectFor(state, policy, { name, input: {} }).input as object,
    events: (record: RunRecord) => eventsOf(state, policy, record),
  };
}

describe("the state of a task", () => {
  it("after its fix is to be retried, without a failure", () => {
    const fix = { id: "1.1.1", fixOf: "1.1", summary: "s", error: "e", attemptedFix: "", doneWhen: "", files: "" };
    const intended = { type: "intended", key: "1.1#1", fix: { ...fix, verify: null, commit: "" } } as RunRecord;
    const { standing, decided } = behind([delegated("1.1"), failed("1.1#1"), intended, choice("1.1")]);
    expect(standing).toMatchObject({ remedy: "fix", failure: null });
    expect(decided().kind).toBe("begin");
  });

  it("has a question about changed checks, whose bytes a person may accept without a proof", () => {
    const harmed = answered("1.1#1/verify", { kind: "blocked", question: "1 of 2 tests is gone", covers: ["x"] });
    const { state, standing } = behind([delegated("1.1"), harmed]);
    expect(standing.question).toEqual({ about: "guard", text: "1 of 2 tests is gone" });
    expect(standing.proof).toEqual({ kind: "unproven", reason: "its proof was changed" });
    apply(state, answered("1.1#1/askPerson", { kind: "decided", decision: "accept" }));
    expect(state.trees["1.1"]).toMatchObject({ allowed: ["x"] });
    expect(state.trees["1.1"]).not.toHaveProperty("question");
    apply(state, delegated("1.1", 2));
    apply(state, answered("1.1#2/verify", { kind: "blocked", question: "again", covers: ["y"] }));
    apply(state, answered("1.1#2/askPerson", { kind: "decided", decision: "accept" }));
    expect(state.trees["1.1"]).toMatchObject({ allowed: ["x", "y"] });
    apply(state, answered("1.1#2/askPerson", { kind: "decided", decision: "accept" }));
    expect(state.trees["1.1"]).toMatchObject({ allowed: ["x", "y"] });
  });

  it("names the other members of a batch, each by its current task", () => {
    const made = behind([choice("1.1", "1.1.1"), delegated("1.1.1")]);
    made.state.batch = ["1.1", "1.2"];
    const { input } = made;
    expect(input("delegate")).toMatchObject({ members: ["1.1.1", "1.2"] });
  });

  it("contains how often in a row the wording was wrong, and the rules in the source's mode", () => {
    expect(behind([delegated("1.1")]).input("verify")).not.toHaveProperty("rejections");
    const twice = [delegated("1.1"), rejected("1.1#1"), delegated("1.1", 2), rejected("1.1#2")];
    expect(behind(twice).input("verify")).toMatchObject({ rejections: 2 });
    expect(behind(twice).input("verify")).not.toHaveProperty("rules");
    expect(behind(twice, { rules: "source" }).input("verify")).toMatchObject({ rules: "source" });
  });

  it("applies an executor's request for a whole task to its parts, but to no other task", () => {
    const blocked = answered("1.1~1#1/verify", { kind: "blocked", question: "which?" });
    expect(behind([delegated("1.1~1"), blocked]).standing.question).toEqual({ about: "blocked", text: "which?" });
    expect(behind([delegated("1.1~1"), blocked], {}, "1.1.1").standing.question).toBeNull();
  });

  it("contains the last error of any kind", () => {
    expect(lastErrorOf(behind([delegated("1.1"), failed("1.1#1")]).standing)).toBe("boom");
    expect(lastErrorOf(behind([delegated("1.1"), rejected("1.1#1")]).standing)).toBe("no commit");
    expect(lastErrorOf(behind([]).standing)).toBeNull();
  });

  it("identifies a fix of an earlier run by its id", () => {
    const made = behind([choice("1.1", "1.1.1.1"), delegated("1.1.1.1")], {}, "1.1.1.1");
    expect(Object.keys(made.standing.spent)).toEqual(["1.1.1.1"]);
    expect(behind([choice("A", "B"), delegated("B"), failed("B#1")], {}, "B", "A").standing.escalation.failures).toBe(
      1,
    );
  });

  it("makes fixes for some tasks whatever the policy says, and runs a cleanup once", () => {
    const always = [choice("1.1", "1.1", { alwaysFixed: true })];
    expect(behind(always, { recovery: ["retry"] }).standing.policy.recovery).toEqual(["fix"]);
    expect(behind(always, { recovery: ["fix"] }).standing.policy.recovery).toEqual(["fix"]);
    const cleanup = answered("run#1.1/chooseCleanup", { kind: "task", root: "1.1", current: "1.1" });
    const spent = [delegated("1.1"), failed("1.1#1"), delegated("1.1", 2), failed("1.1#2")];
    const { standing, decided, asked } = behind([...spent, cleanup]);
    expect(standing).toMatchObject({ keepOpen: true, escalation: { failures: 0 }, spent: { "1.1": { waits: 2 } } });
    expect(decided().kind).toBe("begin");
    expect(asked("chooseCleanup")).toMatchObject({ key: "run#0.2/chooseCleanup", done: ["1.1"] });
    expect(behind([...spent, cleanup, delegated("1.1", 3), failed("1.1#3")]).decided().kind).toBe("exhausted");
  });

  it("has no level that a changed ladder lacks", () => {
    const climbed = [delegated("1.1", 1, { level: "pivot" }), failed("1.1#1")];
    expect(behind(climbed, { recovery: ["retry", "checkpoint"] }).input("delegate")).toMatchObject({ climb: null });
    expect(behind(climbed, { recovery: ["retry", "pivot"] }).input("delegate")).toMatchObject({
      climb: { level: "pivot" },
    });
  });

  it("has no adjustment if its directive is unknown", () => {
    const gathered = answered("1.1#1/gatherParts", { kind: "gathered" });
    expect(behind([gathered]).input("recordPass")).toMatchObject({ repair: null });
  });

  it("ends the parts of a task if no attempt is left", () => {
    const parts = answered("1.1#1/askOperator", {
      kind: "directed",
      directive: { strategy: "decompose", parts: ["a", "b"] },
    });
    const policy: PolicyInput = { recovery: ["repair"], maxTotalAttempts: 1 };
    const made = [delegated("1.1"), failed("1.1#1"), parts];
    expect(behind(made, policy, "1.1~1").next()).toEqual({ kind: "part", task: "1.1~2" });
    expect(behind(made, policy, "1.1~2").next()).toEqual({ kind: "spent", task: "1.1" });
    expect(behind(made, {}, "1.1~2").next()).toEqual({ kind: "whole", task: "1.1" });
  });

  it("asks no one after the operator skipped it", () => {
    const gate = answered("1.1#1/askPerson", { kind: "gate", reason: "r", hint: "h" });
    const prune = answered("1.1#1/askOperator", {
      kind: "directed",
      directive: { strategy: "prune", justification: "gone" },
    });
    expect(behind([delegated("1.1"), failed("1.1#1"), gate, prune]).standing).toMatchObject({
      escalation: { asked: false },
      leftOut: [{ task: "1.1", justification: "gone", by: "operator" }],
    });
  });
});

describe("the input of an effect", () => {
  it("says since when an executor cannot work, what was denied, and what was too long", () => {
    const denied = { tool: "Bash", act: "rm -r x" };
    const hindered = failed("1.1#1", { kind: "permission", since: 5, denied });
    expect(behind([delegated("1.1"), hindered]).input("wait")).toMatchObject({
      reason: "permission",
      since: 5,
      denied,
    });
    expect(behind([delegated("1.1"), hindered]).input("readFailure")).toMatchObject({ waiting: { since: 5 } });
    const bare = [delegated("1.1"), failed("1.1#1", { kind: "auth" })];
    expect(behind(bare).input("wait")).toMatchObject({ until: null, since: null });
    const long = failed("1.1#1", { kind: "context-exhausted", repeated: true });
    expect(behind([delegated("1.1"), long]).input("askPerson")).toMatchObject({ tooLong: true, about: "environment" });
  });

  it("requires a commit if the policy does, but not of members of a batch", () => {
    const policy: PolicyInput = { requireCommit: true };
    expect(behind([choice("1.1")], policy).input("verify")).toMatchObject({ requireCommit: true });
    const members = ["1.1", "1.2"].map((root) => ({ root, current: root, after: [] }));
    const batch = answered("run#1/chooseTask", { kind: "batch", members, width: 2 });
    expect(behind([batch], policy).input("verify")).toMatchObject({ requireCommit: false });
  });

  it("names the report of a checkpoint, if one is written", () => {
    const report = answered("1.1#1/writeStuckReport", { kind: "written", path: "r.md" });
    expect(behind([delegated("1.1"), report]).input("askPerson")).toMatchObject({
      about: "checkpoint",
      report: "r.md",
    });
    const climbed = answered("1.1#1/decide", { ...behind([]).decided(), kind: "checkpoint" });
    expect(behind([delegated("1.1"), climbed]).input("askPerson")).toMatchObject({ about: "checkpoint", report: null });
  });
});

describe("the event of a record", () => {
  it("says how long an executor cannot work, and which review it was", () => {
    const bare = failed("1.1#1", { kind: "auth" });
    expect(behind([delegated("1.1"), bare]).events(bare)).toMatchObject([{ type: "waiting", until: null }]);
    const review = answered("1.1#1/review", { kind: "accepted", passed: true, findings: "" });
    expect(behind([delegated("1.1"), review]).events(review)).toMatchObject([{ type: "review.ended", round: 0 }]);
  });

  it("is absent for an operator that a limit forbids to ask", () => {
    const denied = answered("1.1#1/askOperator", { kind: "denied", limit: "maxCost", task: "1.1", max: 1 });
    expect(behind([denied]).events(denied)).toEqual([]);
  });

  it("names the task of a fix, even if it was not known to be intended", () => {
    const inserted = answered("1.1#1/insertFix", { kind: "inserted", fix: "1.1.1" });
    expect(behind([inserted]).events(inserted)).toMatchObject([
      { type: "fix.inserted", task: "1.1", supersedes: null },
    ]);
  });
});

describe("machines", () => {
  it("begin without an input if they need none, and report failures", () => {
    expect(
      driveCharts(createSpecMachine())
        .requests()
        .map(({ name }) => name),
    ).toEqual(["chooseTask"]);
    expect(driveCharts(createEscalationMachine()).positions()[0]?.state).toBe("normal");
    const actor = createActor(createTaskMachine(), { input: { root: "1.1" } });
    const errors: unknown[] = [];
    actor.subscribe({ error: (error) => errors.push(error) });
    actor.start();
    expect(errors).toMatchObject([{ code: "effect-not-provided" }]);
  });

  it("stop a run at the first member of a batch that stops it, and otherwise continue after the batch", () => {
    const ended = (task: string, decision: object): RunRecord[] => [
      answered(`${task}#1/decide`, decision),
      ...["delegate", "verify", "recordPass"].map((name) =>
        answered(`${task}#1/${name}`, { kind: name === "verify" ? "accepted" : "done" }),
      ),
    ];
    const batch = (...decisions: readonly object[]) => {
      const charts = driveCharts(createSpecMachine());
      const members = decisions.map((_, index) => ({ root: `1.${index}`, current: `1.${index}`, after: [] }));
      charts.tell(answered("run#1/chooseTask", { kind: "batch", members, width: 9 }));
      for (const [index, decision] of decisions.entries()) {
        for (const record of ended(`1.${index}`, decision)) charts.tell(record);
      }
      charts.tell(answered("run#1/mergeProgress", { kind: "merged" }));
      charts.tell(answered("run#1.1/chooseCleanup", { kind: "none" }));
      return charts;
    };
    const denial = { kind: "denied", limit: "maxTaskIterations", task: "1.1", max: 1 };
    const stopped = batch({ kind: "begin" }, { kind: "exhausted", denial }, { kind: "exhausted", denial });
    expect(stopped.output()).toMatchObject({ kind: "limited", end: { kind: "exhausted", root: "1.1" } });
    const passed = batch({ kind: "begin" }, { kind: "begin" });
    expect(passed.requests().map(({ name }) => name)).toEqual(["chooseTask"]);
  });

  it("end with the error of a failed effect, and ignore events unrelated to an effect", async () => {
    const store = memoryStore("- [ ] 1.1 First\n");
    const ports = memoryPorts(store, () => Promise.reject(new Error("gone")));
    const actor = createActor(createTaskMachine(createEffects(ports)), { input: { root: "1.1" } });
    const error = new Promise((resolve) => actor.subscribe({ error: resolve }));
    actor.start();
    expect(await error).toMatchObject({ code: "executor-failed" });
    const logic = effect("delegate");
    const snapshot = logic.getInitialSnapshot({} as never, {});
    expect(logic.transition(snapshot, { type: "other" } as never, {} as never)).toBe(snapshot);
  });

  it("accept answers only in the form of their effects", () => {
    const input = behind([choice("1.1")]).input("verify");
    const verify = { name: "verify", key: "1.1#0/verify", input } as Parameters<typeof checkAnswer>[0];
    expect(checkAnswer(verify, { kind: "accepted" })).toEqual({ kind: "accepted" });
    expect(() => checkAnswer(verify, { kind: "yes" })).toThrow(expect.objectContaining({ code: "answer-malformed" }));
  });
});

describe("the rung of an attempt", () => {
  it("is the rung that created the current task", () => {
    expect(rungOf(behind([choice("1.1")]).standing)).toBeNull();
    expect(rungOf(behind([choice("1.1", "1.1~1")], {}, "1.1~1").standing)).toBe("repair");
  });

  it("stays the rung that created the current task at a retry", () => {
    const { standing } = behind([choice("1.1", "1.1~1")], {}, "1.1~1");
    expect(rungOf({ ...standing, remedy: "retry" })).toBe("repair");
  });
});
