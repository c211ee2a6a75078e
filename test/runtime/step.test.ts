import { describe, expect, it } from "vitest";
import { createMachine } from "xstate";
import { createSpecMachine } from "../../machines/spec.ts";
import { createTaskMachine } from "../../machines/task.ts";
import { restore } from "../../src/runtime/restore.ts";
import { pending, report, send, start } from "../../src/runtime/step.ts";
import type { MachineNode, StepState } from "../../src/runtime/step-state.ts";

const machine = createSpecMachine();
const chosen = { kind: "task", root: "1.1", current: "1.1", spent: {} } as const;

describe("start", () => {
  it("gives the first effect, and performs nothing", () => {
    const { state, effects, events } = start(machine, {});
    const input = { key: "run#1/chooseTask", maxParallel: 5, commit: false };
    expect(effects).toEqual([{ name: "chooseTask", key: "run#1/chooseTask", input }]);
    expect(events).toEqual([]);
    expect(pending(machine, state)).toEqual(effects);
  });

  it("gives a state that is plain JSON", () => {
    const { state } = report(machine, start(machine, {}).state, "run#1/chooseTask", chosen);
    expect(JSON.parse(JSON.stringify(state))).toEqual(state);
  });

  it("refuses a policy that cannot be", () => {
    expect(() => start(machine, { policy: { maxTaskIterations: 0 } })).toThrow(/maxTaskIterations/);
  });
});

describe("report", () => {
  it("moves nested machines, and drops them when they are done", () => {
    let { state } = report(machine, start(machine, {}).state, "run#1/chooseTask", chosen);
    expect(Object.keys(state.nodes)).toEqual(["", "task"]);
    state = report(machine, state, "1.1#1/delegate", { kind: "replied" }).state;
    state = report(machine, state, "1.1#1/verify", { kind: "accepted" }).state;
    const step = report(machine, state, "1.1#1/recordPass", { kind: "recorded" });
    expect(Object.keys(step.state.nodes)).toEqual([""]);
    expect(step.events).toEqual([{ type: "task.passed", task: "1.1", attempts: 1, fixes: [], unverified: false }]);
    expect(step.effects.map(({ key }) => key)).toEqual(["run#2/chooseTask"]);
  });

  it("I9: ignores an answer that is late, repeated or meant for nobody", () => {
    const before = report(machine, start(machine, {}).state, "run#1/chooseTask", chosen).state;
    for (const key of ["run#1/chooseTask", "1.1#2/delegate", "1.2#1/delegate", ""]) {
      expect(report(machine, before, key, chosen)).toEqual({ state: before, effects: [], events: [] });
    }
  });

  it("refuses an answer that is none, and changes nothing", () => {
    const { state } = start(machine, {});
    const copy = structuredClone(state);
    expect(() => report(machine, state, "run#1/chooseTask", { kind: "maybe" } as never)).toThrow(
      expect.objectContaining({ code: "answer-malformed", blame: "input" }),
    );
    expect(state).toEqual(copy);
  });
});

describe("send", () => {
  it("cancels the run and everything below it", () => {
    const { state } = report(machine, start(machine, {}).state, "run#1/chooseTask", chosen);
    const step = send(machine, state, { type: "cancel" });
    expect(step.state).toMatchObject({ status: "done", output: { kind: "cancelled" } });
    expect(pending(machine, step.state)).toEqual([]);
    expect(Object.keys(step.state.nodes)).toEqual([""]);
  });

  it("ignores an event that the machine does not know, and any after its end", () => {
    const { state } = start(machine, {});
    expect(send(machine, state, { type: "attempt.passed" }).state).toEqual(state);
    const over = send(machine, state, { type: "cancel" }).state;
    expect(send(machine, over, { type: "cancel" }).state).toBe(over);
  });
});

describe("restore", () => {
  const working = () => report(machine, start(machine, {}).state, "run#1/chooseTask", chosen).state;
  const refusal = (json: unknown): string => {
    try {
      restore(machine, json);
      return "none";
    } catch (error) {
      return (error as { code: string }).code;
    }
  };

  it("takes up a stored state where it was", () => {
    const state = restore(machine, JSON.parse(JSON.stringify(working())));
    expect(pending(machine, state).map(({ key }) => key)).toEqual(["1.1#1/delegate"]);
    expect(report(machine, state, "1.1#1/delegate", { kind: "replied" }).effects[0]?.name).toBe("verify");
  });

  it("takes up a state that is done", () => {
    const over = send(machine, working(), { type: "cancel" }).state;
    expect(restore(machine, JSON.parse(JSON.stringify(over)))).toEqual(over);
  });

  const root = (change: object) => ({ ...working(), nodes: { "": { ...working().nodes[""], ...change } } });

  it.each([
    ["nothing in it", null, "state-malformed"],
    ["a newer version", { ...working(), version: 2 }, "state-newer"],
    ["the name of another machine", { ...working(), machine: "task" }, "state-of-other-machine"],
    ["no machine in it", { ...working(), nodes: {} }, "state-incomplete"],
    ["an effect lost", root({ value: "choosing", invoked: {} }), "state-incomplete"],
    [
      "an effect of another name",
      root({
        value: "confirming",
        invoked: { confirmCompletion: start(machine, {}).state.nodes[""]?.invoked["chooseTask"] },
      }),
      "state-incomplete",
    ],
    ["a nested machine lost", root({}), "state-incomplete"],
    [
      "a machine that nobody invoked",
      { ...working(), nodes: { ...working().nodes, other: working().nodes["task"] } },
      "state-incomplete",
    ],
    ["a context that is not whole", root({ context: {} }), "state-malformed"],
    ["a state that the machine has not", root({ value: "dreaming", invoked: {} }), "state-incomplete"],
  ])("refuses a state with %s", (_, json, code) => {
    expect(refusal(json)).toBe(code);
  });

  const members = ["1.1", "1.2"].map((root) => ({ root, current: root, spent: {}, after: [] }));
  const batch = () => report(machine, start(machine, {}).state, "run#1/chooseTask", { kind: "batch", members }).state;
  const without = (state: StepState, path: string): StepState => ({
    ...state,
    nodes: Object.fromEntries(Object.entries(state.nodes).filter(([each]) => each !== path)),
  });
  const notAwaited = (state: StepState): StepState => {
    const { "1.1": _, ...invoked } = state.nodes["batch"]?.invoked ?? {};
    return { ...state, nodes: { ...state.nodes, batch: { ...state.nodes["batch"], invoked } as MachineNode } };
  };

  it("takes up a batch whose members are all there", () => {
    expect(restore(machine, JSON.parse(JSON.stringify(batch())))).toEqual(batch());
  });

  it.each([
    ["a member of a batch", without(batch(), "batch/1.1"), "the machine `batch/1.1` in it"],
    ["that a batch waits for a member", notAwaited(batch()), "the machine `batch/1.1` in it"],
    ["the machine of a task", without(working(), "task"), "the machine `task` in it"],
    ["the machine itself", without(working(), ""), "the machine itself in it"],
    ["what it waits for", root({ value: "choosing", invoked: {} }), "`spec` to wait for `chooseTask`"],
    ["a state", root({ value: "dreaming", invoked: {} }), "a state that `spec` has at ``"],
    ["a whole context", root({ context: { policy: 1 } }), "the context of `spec` to be whole: "],
    ["a status", { ...working(), status: "odd" }, "a state of version 1: status"],
    ["a version", { ...working(), version: "1" }, "a state of version 1: version"],
  ])("says what a state lacks: %s", (_, json, lack) => {
    expect(() => restore(machine, json)).toThrow(
      expect.objectContaining({
        message: expect.stringContaining(`Cannot restore the state, expected ${lack}`),
        hint: expect.stringContaining("start again from the plan"),
        blame: "input",
      }),
    );
  });

  it("works for a machine of one's own, whose context nobody knows", () => {
    const own = createMachine({
      id: "own",
      initial: "one",
      context: { n: 1 },
      states: { one: { on: { go: "two" } }, two: {} },
    });
    const { state } = start(own, undefined);
    expect(restore(own, JSON.parse(JSON.stringify(state)))).toEqual(state);
  });

  it("works for a machine used alone", () => {
    const task = createTaskMachine();
    const { state } = start(task, { root: "1.1" });
    expect(restore(task, JSON.parse(JSON.stringify(state)))).toEqual(state);
  });
});
