import { describe, expect, it } from "vitest";
import { createActor } from "xstate";
import { createBatchMachine } from "../../machines/batch.ts";
import { createSpecMachine } from "../../machines/spec.ts";
import type { RunEvent } from "../../src/model/event.ts";
import { readPolicy } from "../../src/model/policy.ts";
import type { TaskContext } from "../../src/model/task-context.ts";
import { restore } from "../../src/runtime/restore.ts";
import { pending, report, send, start } from "../../src/runtime/step.ts";
import type { StepState } from "../../src/runtime/step-state.ts";
import { digest } from "../support/play-task.ts";

const machine = createSpecMachine();
const member = (root: string, after: string[] = []) => ({ root, current: root, spent: {}, after });
const batch = (...members: ReturnType<typeof member>[]) => ({ kind: "batch", members });
const passing = { delegate: { kind: "replied" }, verify: { kind: "accepted" }, recordPass: { kind: "recorded" } };
const denial = { kind: "denied", limit: "maxTaskIterations", task: "1.2", max: 1 };

/** A walk through the chart, with the JSON of each state between two steps. */
function walk(policy: object = {}) {
  let state: StepState = start(machine, { policy }).state;
  const events: RunEvent[] = [];
  const walker = {
    events,
    get state() {
      return state;
    },
    waits: () => pending(machine, state).map(({ key }) => key),
    answer(key: string, answer: object) {
      const stored = restore(machine, JSON.parse(JSON.stringify(state)));
      const step = report(machine, stored, key, answer as never);
      expect(step.state).not.toBe(stored);
      state = step.state;
      events.push(...step.events);
      return walker;
    },
    pass(task: string, attempt = 1) {
      for (const [effect, answer] of Object.entries(passing)) walker.answer(`${task}#${attempt}/${effect}`, answer);
      return walker;
    },
    fail(task: string, attempt = 1) {
      return walker
        .answer(`${task}#${attempt}/delegate`, { kind: "replied" })
        .answer(`${task}#${attempt}/verify`, { kind: "rejected", layer: "commit", reason: "as scripted" });
    },
  };
  return walker;
}

/** Its first attempt fails. */
const fails = (run: ReturnType<typeof walk>, task: string) =>
  run
    .answer(`${task}#1/delegate`, { kind: "replied" })
    .answer(`${task}#1/verify`, { kind: "failed", layer: "signal", reason: "r" })
    .answer(`${task}#1/readFailure`, digest);

describe("spec machine", () => {
  it("works on the members of a batch side by side, as many as allowed, and those with the same files in turn", () => {
    const run = walk({ maxParallel: 2 }).answer(
      "run#1/chooseTask",
      batch(member("1.1"), member("1.2", ["1.1"]), member("1.3"), member("1.4"), member("1.5")),
    );
    expect(run.events).toEqual([{ type: "group.started", tasks: ["1.1", "1.2", "1.3", "1.4", "1.5"] }]);
    expect(run.waits()).toEqual(["1.1#1/delegate", "1.3#1/delegate"]);
    expect(run.pass("1.3").waits()).toEqual(["1.1#1/delegate", "1.4#1/delegate"]);
    expect(run.pass("1.1").waits()).toEqual(["1.4#1/delegate", "1.2#1/delegate"]);
    expect(Object.keys(run.state.nodes)).toEqual(["", "batch", "batch/1.4", "batch/1.2"]);
    run.pass("1.2").pass("1.4").pass("1.5");
    expect(pending(machine, run.state)[0]?.input).toEqual({
      key: "run#1/mergeProgress",
      logs: ["1.1", "1.2", "1.3", "1.4", "1.5"],
      commit: false,
    });
    run.answer("run#1/mergeProgress", { kind: "merged" });
    expect(run.events.at(-1)).toEqual({ type: "group.ended", tasks: ["1.1", "1.2", "1.3", "1.4", "1.5"] });
    expect(run.waits()).toEqual(["run#2/chooseTask"]);
  });

  it("begins its first turn under the default policy when it is told nothing else", () => {
    const { context } = createActor(createSpecMachine()).getSnapshot();
    expect(context).toEqual({
      ...{ policy: readPolicy({}), paused: false, turn: 1 },
      ...{ chosen: null, members: [], stop: null, cleaned: [] },
    });
  });

  it("lets every member of a batch come to its end before one that is exhausted stops the run", () => {
    const run = walk({ maxTaskIterations: 1 }).answer("run#1/chooseTask", batch(member("1.1"), member("1.2")));
    run.fail("1.2").pass("1.1").answer("run#1/mergeProgress", { kind: "merged" });
    expect(run.waits()).toEqual(["run#1.1/chooseCleanup"]);
    run.answer("run#1.1/chooseCleanup", { kind: "none" });
    expect(run.state.output).toMatchObject({ kind: "limit", task: "1.2", denial, lastError: "as scripted" });
  });

  it("merges the logs of members that have come to a good end", () => {
    const run = walk({ recovery: ["repair"], repairBudget: 0, maxTaskIterations: 1, maxParallel: 4 });
    run.answer("run#1/chooseTask", batch(member("1.1"), member("1.2"), member("1.3"), member("1.4")));
    run.answer("1.1#1/delegate", { kind: "requested", change: "SPLIT_TASK" });
    run.answer("1.1#1/changePlan", { kind: "replanned", change: "SPLIT_TASK", added: ["1.1.1"] });
    fails(run, "1.2").answer("1.2#1/askPerson", { kind: "decided", decision: "skip" });
    run.answer("1.2#1/recordSkip", { kind: "skipped" });
    fails(run, "1.3").answer("1.3#1/askPerson", { kind: "gate", reason: "r", hint: "h" });
    expect(run.pass("1.4").waits()).toEqual(["run#1/mergeProgress"]);
    expect(pending(machine, run.state)[0]?.input).toMatchObject({ logs: ["1.1", "1.2", "1.4"] });
  });

  it("asks for committed files of tasks on their own only: members change the plan for each other", () => {
    const alone = walk({ requireCommit: true }).answer("run#1/chooseTask", { kind: "task", ...member("1.1") });
    alone.answer("1.1#1/delegate", { kind: "replied" });
    expect(pending(machine, alone.state)[0]?.input).toMatchObject({ requireCommit: true });
    const grouped = walk({ requireCommit: true }).answer("run#1/chooseTask", batch(member("1.1"), member("1.2")));
    grouped.answer("1.1#1/delegate", { kind: "replied" });
    expect(pending(machine, grouped.state)[0]?.input).toMatchObject({ requireCommit: false });
  });

  it("asks the question of the first member, in the order of the plan, that has one", () => {
    const run = walk({ maxTaskIterations: 1 }).answer(
      "run#1/chooseTask",
      batch(member("1.1"), member("1.2"), member("1.3")),
    );
    run.answer("1.3#1/delegate", { kind: "replied" });
    run.answer("1.3#1/verify", { kind: "gate", reason: "third", hint: "h" });
    run.answer("1.2#1/delegate", { kind: "replied" });
    run.answer("1.2#1/verify", { kind: "gate", reason: "second", hint: "h" });
    run.pass("1.1").answer("run#1/mergeProgress", { kind: "merged" });
    expect(run.state.output).toEqual({ kind: "gate", reason: "second", hint: "h" });
  });

  it("chooses anew when the task has asked for others", () => {
    const run = walk().answer("run#1/chooseTask", { kind: "task", ...member("1.1") });
    run.answer("1.1#1/delegate", { kind: "requested" });
    run.answer("1.1#1/changePlan", { kind: "replanned", change: "SPLIT_TASK", added: ["1.1.1", "1.1.2"] });
    expect(run.waits()).toEqual(["run#2/chooseTask"]);
  });

  it("carries out every cleanup once when a limit stops the run, without fixing or ticking it", () => {
    const run = walk({ recovery: ["fix"], maxFixTasksPerOriginal: 0, commit: "spec" });
    run.answer("run#1/chooseTask", { kind: "task", ...member("1.2") });
    run.answer("1.2#1/delegate", { kind: "replied" });
    run.answer("1.2#1/verify", { kind: "failed", layer: "signal", reason: "r" });
    run.answer("1.2#1/readFailure", { kind: "task", error: "e", attemptedFix: "a", status: "s", fingerprint: "f" });
    run.answer("run#1.1/chooseCleanup", { kind: "task", ...member("VE3") });
    run.answer("VE3#1/delegate", { kind: "replied" }).answer("VE3#1/verify", { kind: "accepted" });
    expect(pending(machine, run.state)[0]?.input).toMatchObject({ task: "VE3", keepOpen: true });
    run.answer("VE3#1/recordPass", { kind: "recorded", open: true });
    expect(pending(machine, run.state)[0]?.input).toEqual({ key: "run#1.2/chooseCleanup", done: ["1.2", "VE3"] });
    run.answer("run#1.2/chooseCleanup", { kind: "none" });
    expect(run.state.output).toMatchObject({ kind: "limit", task: "1.2", denial: { limit: "maxFixTasksPerOriginal" } });
  });

  it("stops at once when a cleanup fails", () => {
    const run = walk({ maxTaskIterations: 1 }).answer("run#1/chooseTask", { kind: "task", ...member("1.2") });
    run
      .fail("1.2")
      .answer("run#1.1/chooseCleanup", { kind: "task", ...member("VE3") })
      .fail("VE3");
    expect(run.state.output).toMatchObject({ kind: "limit", task: "1.2" });
  });

  it("makes fixes for tasks that are always fixed, whatever the policy says", () => {
    const failed = (run: ReturnType<typeof walk>) => {
      run.answer("VE1#1/delegate", { kind: "replied" });
      run.answer("VE1#1/verify", { kind: "failed", layer: "signal", reason: "r" });
      return run.answer("VE1#1/readFailure", digest).waits();
    };
    const chosen = { kind: "task", ...member("VE1"), alwaysFixed: true };
    expect(failed(walk().answer("run#1/chooseTask", chosen))).toEqual(["VE1#1/insertFix"]);
    expect(failed(walk({ recovery: ["fix"] }).answer("run#1/chooseTask", chosen))).toEqual(["VE1#1/insertFix"]);
  });

  it("fixes tasks that are always fixed in place of retrying them, and keeps the rest of the ladder", () => {
    const run = walk({ recovery: ["retry", "repair", "pivot"], maxFixTasksPerOriginal: 0 });
    run.answer("run#1/chooseTask", { kind: "task", ...member("VE1"), alwaysFixed: true });
    const context = run.state.nodes["task"]?.context as TaskContext;
    expect(context.policy.recovery).toEqual(["fix", "repair", "pivot"]);
  });

  it.each([
    [["retry"], false],
    [["retry", "fix"], true],
    [["pivot"], true],
  ])("watches what a failure was like where a ladder has a choice: %j", (recovery, watch) => {
    const run = walk({ recovery }).answer("run#1/chooseTask", { kind: "task", ...member("1.1") });
    run.answer("1.1#1/delegate", { kind: "replied" });
    run.answer("1.1#1/verify", { kind: "failed", layer: "signal", reason: "r" });
    expect(pending(machine, run.state)[0]?.input).toMatchObject({ watch, waits: 0 });
  });

  it("goes on without a task that is left out, and is complete but for what was skipped", () => {
    const run = walk({ recovery: ["repair"] }).answer("run#1/chooseTask", { kind: "task", ...member("1.1") });
    fails(run, "1.1").answer("1.1#1/askOperator", {
      kind: "directed",
      directive: { strategy: "prune", justification: "not possible here" },
    });
    expect(run.events.at(-1)).toEqual({ type: "task.skipped", task: "1.1", justification: "not possible here" });
    run.answer("1.1#1/recordSkip", { kind: "skipped" }).answer("run#2/chooseTask", { kind: "none" });
    run.answer("run#2/confirmCompletion", { kind: "skipped" });
    expect(run.state.output).toEqual({ kind: "skipped" });
  });

  it("stops at the checkpoint of its task, alone or in a batch, and takes a decision there before", () => {
    const question = { kind: "gate", reason: "stuck", hint: "resume" };
    for (const chosen of [{ kind: "task", ...member("1.1") }, batch(member("1.1"), member("1.2"))]) {
      const run = walk({ recovery: ["checkpoint"] }).answer("run#1/chooseTask", chosen);
      fails(run, "1.1").answer("1.1#1/writeStuckReport", { kind: "written", path: "stuck-report.md" });
      const told = send(machine, run.state, { type: "decision.made", decision: "retry" });
      expect(pending(machine, told.state).map(({ key }) => key)).toContain("1.1#2/delegate");
      run.answer("1.1#1/askPerson", question);
      if (chosen.kind === "batch") run.pass("1.2").answer("run#1/mergeProgress", { kind: "merged" });
      expect(run.state.output).toEqual({ kind: "checkpoint", reason: "stuck", hint: "resume" });
    }
  });

  it("is cancelled when a person stops at the checkpoint of its task", () => {
    const run = walk({ recovery: ["checkpoint"] }).answer("run#1/chooseTask", { kind: "task", ...member("1.1") });
    fails(run, "1.1").answer("1.1#1/writeStuckReport", { kind: "written", path: "stuck-report.md" });
    expect(send(machine, run.state, { type: "decision.made", decision: "stop" }).state.output).toEqual({
      kind: "cancelled",
    });
  });

  it("ends as cancelled in the middle of a batch, and forgets its members", () => {
    const { state } = walk().answer("run#1/chooseTask", batch(member("1.1"), member("1.2")));
    const cancelled = send(machine, state, { type: "cancel" });
    expect(cancelled.state.output).toEqual({ kind: "cancelled" });
    expect(pending(machine, cancelled.state)).toEqual([]);
  });

  it("refuses a stored batch whose member is gone", () => {
    const { state } = walk().answer("run#1/chooseTask", batch(member("1.1"), member("1.2")));
    const { "batch/1.1": _, ...nodes } = state.nodes;
    expect(() => restore(machine, { ...state, nodes })).toThrow(expect.objectContaining({ code: "state-incomplete" }));
  });
});

describe("batch machine, used alone", () => {
  const alone = createBatchMachine();
  const members = [member("1.1"), member("1.2", ["1.1"])];

  it("works at once unless it is told that the run is paused, and ends with all outcomes in the order of the plan", () => {
    let { state } = start(alone, { members, turn: 3 });
    for (const task of ["1.1", "1.2"]) {
      expect(pending(alone, state).map(({ key }) => key)).toEqual([`${task}#1/delegate`]);
      for (const [effect, answer] of Object.entries(passing)) {
        state = report(alone, state, `${task}#1/${effect}`, answer as never).state;
      }
    }
    state = report(alone, state, "run#3/mergeProgress", { kind: "merged" }).state;
    expect(state.output).toMatchObject({ outcomes: [{ root: "1.1" }, { root: "1.2" }] });
    const paused = start(alone, { members, turn: 3, paused: true });
    expect(pending(alone, paused.state)).toEqual([]);
    expect(send(alone, paused.state, { type: "resume" }).effects).toMatchObject([{ name: "delegate" }]);
  });
});
