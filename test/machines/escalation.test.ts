import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createActor } from "xstate";
import { createEscalationMachine, type EscalationInput } from "../../machines/escalation.ts";
import {
  type Escalation,
  type EscalationEvent,
  type FailedAttempt,
  type Level,
  noEscalation,
} from "../../src/model/escalation.ts";
import type { EscalationContext } from "../../src/model/escalation-context.ts";
import type { RunEvent } from "../../src/model/event.ts";
import { totalCap } from "../../src/model/limits.ts";
import type { PersonEvent } from "../../src/model/person-event.ts";
import { Policy, type PolicyInput } from "../../src/model/policy.ts";
import { escalationRungs } from "../../src/model/rung.ts";
import { detectStuck } from "../../src/recover/stuck.ts";
import { pending, restore, type Step, send, start } from "../../src/runtime/step.ts";
import { toMermaid } from "../../src/runtime/to-mermaid.ts";
import { escalationHistories } from "../../src/testing/arbitraries.ts";
import { prop } from "../support/prop.ts";

const machine = createEscalationMachine();
type Told = EscalationEvent | PersonEvent;

const contextIn = ({ positions }: Pick<Step, "positions">): EscalationContext =>
  positions[0]?.context as unknown as EscalationContext;
const valueIn = ({ positions }: Pick<Step, "positions">): unknown => positions[0]?.state;

function follow(input: EscalationInput, told: readonly Told[]): { states: Step[]; events: RunEvent[] } {
  const first = start(machine, input);
  const states = [first];
  const events = [...first.events];
  for (const event of told) {
    const step = send(machine, (states.at(-1) as Step).state, event);
    states.push(step);
    events.push(...step.events);
  }
  return { states, events };
}

function play(told: readonly Told[], input: EscalationInput = {}) {
  const { states, events } = follow(input, told);
  const last = states.at(-1) as Step;
  return { value: valueIn(last), values: states.slice(1).map(valueIn), ...contextIn(last), events };
}

const failed = (error: string, part: Partial<FailedAttempt> = {}): Told => ({
  type: "attempt.failed",
  failure: { error, ...part },
});
const rejected: Told = { type: "attempt.rejected" };
const passed: Told = { type: "attempt.passed" };
const exhausted: Told = { type: "attempts.exhausted" };
const guided: Told = { type: "guidance.given", text: "use zod" };
const plain = (count: number): Told[] =>
  Array.from({ length: count }, (_, index) => failed(`error ${"x".repeat(index)}`));
const left = (level: Level, part: Partial<Escalation> = {}): Escalation => ({ ...noEscalation, level, ...part });
const admitted = failed("e", { admission: "i don't know how to" });

describe("escalation machine", () => {
  it("begins at normal, without a task name if none is given", () => {
    expect(contextIn(start(machine, {}))).toMatchObject({ task: "", escalation: noEscalation, guidance: null });
  });

  it("goes through the example of the protocol", () => {
    const found = ["react-hook-form already in use", "Zod validation patterns exist"];
    const attempts = [
      [null, "Too many re-renders at Form.tsx:12:3", "normal", 0, 0],
      [null, "Too many re-renders at Form.tsx:14:3", "normal", 0, 0],
      ["useState for form", "Too many re-renders at Form.tsx:9:3", "pivoting", 1, 0],
      ["useReducer instead of useState", "Too many re-renders at Form.tsx:21:3", "pivoting", 2, 0],
      ["Debounce the onChange handler", "Delayed user feedback, rejected", "pivoting", 3, 0],
      ["Uncontrolled components with refs", "Lost validation state", "researching", 3, 1],
      ["Adopt existing react-hook-form + Zod pattern", "Async validation not completing", "researching", 3, 2],
      ["Cross-field schema", "Expected: passwords must match", "researching", 3, 3],
      ["Server-side validation", "Timeout: async validation not completing", "checkpoint", 3, 3],
    ] as const;
    // The protocol treats a task as stuck after three errors of the same kind.
    let step = start(machine, { task: "1.3", policy: { stuckAfterSameErrors: 3 } });
    const told = [...step.events];
    for (const [strategy, error, value, pivots, researches] of attempts) {
      const findings = value === "researching" ? found : [];
      step = send(machine, step.state, failed(error, { strategy, findings }));
      told.push(...step.events);
      expect([valueIn(step), contextIn(step).escalation]).toMatchObject([value, { pivots, researches }]);
    }
    expect(told).toEqual(
      (
        [
          ["pivot", 1, 3],
          ["pivot", 2, 3],
          ["pivot", 3, 3],
          ["research", 1, 3],
          ["research", 2, 3],
          ["research", 3, 3],
          ["checkpoint", 0, 0],
        ] as const
      ).map(([level, attempt, max]) => ({ type: "level.changed", task: "1.3", level, attempt, max })),
    );
    const { escalation } = contextIn(step);
    expect(escalation).toMatchObject({ level: "checkpoint", failures: 9, findings: found });
    expect(escalation.approaches.map(({ level, strategy }) => [level, strategy])).toEqual([
      ["normal", null],
      ["normal", null],
      ["normal", "useState for form"],
      ["pivot", "useReducer instead of useState"],
      ["pivot", "Debounce the onChange handler"],
      ["pivot", "Uncontrolled components with refs"],
      ["research", "Adopt existing react-hook-form + Zod pattern"],
      ["research", "Cross-field schema"],
      ["research", "Server-side validation"],
    ]);
    const resumed = send(machine, step.state, { type: "guidance.given", text: "extend react-hook-form" });
    expect([valueIn(resumed), contextIn(resumed)]).toMatchObject([
      "normal",
      {
        guidance: "extend react-hook-form",
        escalation: { ...noEscalation, approaches: escalation.approaches, findings: found },
      },
    ]);
  });

  it("leaves failures to the orchestrator until it is stuck", () => {
    expect(play(plain(9))).toMatchObject({ value: "normal", escalation: { failures: 9, pivots: 0 }, events: [] });
  });

  it.each<[string, Told[], Told, string]>([
    ["the same error", Array(3).fill(failed("e")), failed("e"), "same-error"],
    ["no change", plain(5).slice(0, 4).map(idle), idle(failed("z")), "no-change"],
    ["a state that comes back", states("a", "b"), failed("z", { fileState: "a" }), "state-again"],
    ["a strategy", [failed("e", { strategy: "refs" })], failed("z", { strategy: "Refs!" }), "strategy-again"],
    ["an admission", [failed("e")], admitted, "admission"],
  ])("climbs at %s, and not before", (_, before, last, stuck) => {
    const [left, climbed] = [play(before), play([...before, last])];
    expect([left.value, detectStuck(left.escalation, Policy.parse({}))]).toEqual(["normal", null]);
    expect([climbed.value, detectStuck(climbed.escalation, Policy.parse({}))]).toEqual(["pivoting", stuck]);
    expect(climbed.escalation.pivots).toBe(1);
  });

  it("takes the identity of an error from the orchestrator, otherwise from the error", () => {
    const named = (fingerprint: string) => failed("e", { fingerprint });
    expect(play(["a", "b", "c", "d", "e"].map(named)).value).toBe("normal");
    const five = [1, 2, 3, 4, 5];
    expect(play(five.map((number) => failed(`e ${number}`, { fingerprint: "f" }))).value).toBe("pivoting");
    expect(play(five.map((line) => failed(`boom at a.ts:${line}`))).value).toBe("pivoting");
  });

  const direct = { policy: { recovery: ["checkpoint" as const] } };

  it("goes to the checkpoint at the cap on attempts at levels, or without levels on failed attempts", () => {
    const policy = { maxTotalAttempts: 2 };
    expect(play(plain(99), { policy }).value).toBe("normal");
    expect(play([admitted, ...plain(1)], { policy }).value).toBe("pivoting");
    expect(play([admitted, ...plain(2)], { policy }).value).toBe("checkpoint");
    expect(play(plain(9), direct).value).toBe("normal");
    expect(play(plain(10), direct)).toMatchObject({ value: "checkpoint", escalation: { pivots: 0 } });
  });

  it("counts a rejected claim against the cap, but not as a sign of being stuck", () => {
    expect(play(Array(9).fill(rejected), direct)).toMatchObject({ value: "normal", escalation: { failures: 9 } });
    expect(play(Array(10).fill(rejected), direct).value).toBe("checkpoint");
    expect(play([rejected], { escalation: left("normal", { sameErrors: 9 }) }).value).toBe("normal");
    expect(play([rejected], { policy: { maxTaskIterations: 1 } }).value).toBe("normal");
    // Equal errors alone are only a sign of being stuck, but the limit decides first.
    const alike = left("normal", { failures: 9, sameErrors: 9 });
    expect(play([rejected], { ...direct, escalation: alike }).value).toBe("checkpoint");
  });

  it("spends an attempt of its level for a rejected claim too", () => {
    const policy = { maxPivotAttempts: 2 };
    expect(play([admitted, rejected], { policy })).toMatchObject({ value: "pivoting", escalation: { pivots: 2 } });
    expect(play([admitted, rejected, rejected], { policy }).value).toBe("researching");
  });

  it("climbs if the orchestrator has no remedy left, stuck or not", () => {
    expect(play([exhausted])).toMatchObject({ value: "pivoting", escalation: { pivots: 1, failures: 0 } });
    expect(play([...plain(2), exhausted])).toMatchObject({ value: "pivoting", escalation: { failures: 2 } });
  });

  it("spends nothing if the orchestrator has no remedy left at a level", () => {
    for (const level of escalationRungs) {
      const escalation = left(level, { pivots: 1 });
      expect(play([exhausted], { escalation })).toMatchObject({ value: restsIn[level], escalation, events: [] });
    }
  });

  it("returns to normal with a pass, and keeps the spent counts", () => {
    expect(play([admitted, ...plain(3), passed], { task: "1.3" })).toMatchObject({
      values: ["pivoting", "pivoting", "pivoting", "researching", "normal"],
      escalation: { level: "normal", pivots: 3, researches: 1, failures: 4, sameErrors: 0 },
    });
    expect(play([admitted, passed], { task: "1.3" }).events.at(-1)).toEqual({
      type: "level.changed",
      task: "1.3",
      level: "normal",
      attempt: 0,
      max: 0,
    });
    expect(play([failed("e"), failed("e"), passed, failed("e")])).toMatchObject({ value: "normal", events: [] });
  });

  it("continues with the spent counts when it climbs again", () => {
    expect(play([admitted, ...plain(3), passed, admitted])).toMatchObject({
      value: "researching",
      escalation: { pivots: 3, researches: 2 },
    });
  });

  it("stays at the checkpoint, and counts later reports of attempts", () => {
    const input = { escalation: left("checkpoint", { pivots: 3, failures: 9 }) };
    expect(play([failed("e"), rejected, exhausted], input)).toMatchObject({
      values: ["checkpoint", "checkpoint", "checkpoint"],
      escalation: { failures: 11, pivots: 3 },
      events: [],
    });
    expect(play([passed], input)).toMatchObject({ value: "normal", escalation: { level: "normal", failures: 9 } });
  });

  it("starts over with guidance at the checkpoint, and keeps it elsewhere", () => {
    const input = { escalation: left("checkpoint", { pivots: 3, researches: 3, failures: 9, findings: ["x"] }) };
    expect(play([guided], input)).toMatchObject({
      value: "normal",
      guidance: "use zod",
      escalation: { ...noEscalation, findings: ["x"] },
      events: [{ type: "level.changed", level: "normal" }],
    });
    expect(play([admitted, guided])).toMatchObject({
      value: "pivoting",
      guidance: "use zod",
      escalation: { pivots: 1, failures: 1 },
    });
    expect(play([{ type: "guidance.given", text: "x".repeat(5000) }]).guidance).toHaveLength(4000);
  });

  it("ignores other answers of a person", () => {
    for (const event of [{ type: "pause" }, { type: "cancel" }, { type: "decision.made", decision: "stop" }] as const) {
      const { states } = follow({}, [admitted, event]);
      expect(states[2]?.positions).toEqual(states[1]?.positions);
    }
  });

  it.each<[Level, string, string]>([
    ["normal", "normal", "busy"],
    ["pivot", "pivoting", "busy"],
    ["research", "researching", "busy"],
    ["checkpoint", "checkpoint", "waitingForPerson"],
  ])("is restored at the level %s, with the matching tags", (level, value, tag) => {
    const escalation = left(level, { pivots: 2 });
    expect(play([], { escalation })).toMatchObject({ value, escalation, events: [] });
    const actor = createActor(machine, { input: { escalation } }).start();
    expect([...actor.getSnapshot().tags]).toEqual([tag]);
  });

  it.each<[PolicyInput["recovery"], unknown[]]>([
    [undefined, ["pivoting", "researching", "checkpoint"]],
    [
      ["retry", "fix", "repair", "pivot", "research", "checkpoint"],
      ["pivoting", "researching", "checkpoint"],
    ],
    [["pivot"], ["pivoting", "checkpoint", "checkpoint"]],
    [
      ["retry", "research"],
      ["researching", "checkpoint", "checkpoint"],
    ],
    [["checkpoint"], ["checkpoint", "checkpoint", "checkpoint"]],
    [["retry"], ["checkpoint", "checkpoint", "checkpoint"]],
  ])("climbs only the rungs for stuck tasks of the ladder %j, with a checkpoint as the last", (recovery, values) => {
    const policy = { maxPivotAttempts: 1, maxResearchAttempts: 1, ...(recovery && { recovery }) };
    expect(play([exhausted, ...plain(2)], { policy }).values).toEqual(values);
    expect(play([failed("e"), failed("e")], { policy }).value).toBe("normal");
  });

  it("refuses an invalid policy", () => {
    expect(() => start(machine, { policy: { recovery: ["pivot", "retry"] } })).toThrow(
      expect.objectContaining({ code: "policy-invalid" }),
    );
  });

  it("requests no effect, and is restored at every step", () => {
    const { states } = follow({ task: "1.3" }, [admitted, ...plain(7), guided]);
    for (const { state } of states) {
      expect(pending(machine, state)).toEqual([]);
      expect(restore(machine, JSON.parse(JSON.stringify(state)))).toEqual(state);
    }
    const { state: first } = states[0] as Step;
    expect(() => restore(machine, { ...first, records: [{ type: "answered" }] })).toThrow(
      expect.objectContaining({ code: "state-malformed" }),
    );
    expect(() => restore(machine, { ...first, machine: "task" })).toThrow(
      expect.objectContaining({ code: "state-of-other-machine" }),
    );
  });

  it("describes its states", () => {
    for (const { description } of Object.values(machine.states)) expect(description).toMatch(/^[A-Z].*\.$/);
    expect(toMermaid(machine)).toContain("checkingLimit --> pivoting: [pivotAllowed]\n");
  });
});

function idle(event: Told): Told {
  return event.type === "attempt.failed" ? { ...event, failure: { ...event.failure, changed: false } } : event;
}

function states(...names: string[]): Told[] {
  return names.map((fileState, index) => failed(`e${"x".repeat(index)}`, { fileState, changed: true }));
}

const heights: readonly Level[] = ["normal", ...escalationRungs];
const restsIn: Record<Level, string> = {
  normal: "normal",
  pivot: "pivoting",
  research: "researching",
  race: "checkpoint",
  checkpoint: "checkpoint",
};
const few = fc.nat({ max: 2 });
const policies: fc.Arbitrary<PolicyInput> = fc.record(
  {
    recovery: fc.subarray([...escalationRungs], { minLength: 1 }),
    maxPivotAttempts: few,
    maxResearchAttempts: few,
    maxTotalAttempts: fc.option(fc.integer({ min: 1, max: 8 })),
  },
  { requiredKeys: [] },
);

function steps(policy: PolicyInput, told: readonly Told[]) {
  const all = follow({ policy }, told).states;
  return told.map((event, index) => {
    const [before, after] = [all[index], all[index + 1]].map((state) => contextIn(state as Step));
    return { event, before: before as EscalationContext, after: after as EscalationContext, state: all[index + 1] };
  });
}

describe("escalation machine, for every policy and every history", () => {
  prop("levels go down only by a pass or guidance", [policies, escalationHistories()], (policy, told) => {
    for (const { event, before, after } of steps(policy, told)) {
      const [from, to] = [before, after].map(({ escalation }) => heights.indexOf(escalation.level)) as [number, number];
      if (to >= from) continue;
      expect(["attempt.passed", "guidance.given"]).toContain(event.type);
      expect(after.escalation.level).toBe("normal");
    }
  });

  prop("counters decrease only by guidance at a checkpoint", [policies, escalationHistories()], (policy, told) => {
    for (const { event, before, after } of steps(policy, told)) {
      if (event.type === "guidance.given" && before.escalation.level === "checkpoint") {
        expect(after.escalation).toMatchObject({ pivots: 0, researches: 0, failures: 0 });
        continue;
      }
      for (const counter of ["pivots", "researches", "failures"] as const) {
        expect(after.escalation[counter]).toBeGreaterThanOrEqual(before.escalation[counter]);
      }
      const counted = event.type === "attempt.failed" || event.type === "attempt.rejected";
      expect(after.escalation.failures - before.escalation.failures).toBe(counted ? 1 : 0);
    }
  });

  prop("no budget is overspent", [policies, escalationHistories()], (policy, told) => {
    for (const { after } of steps(policy, told)) {
      const { pivots, researches } = after.escalation;
      expect(pivots).toBeLessThanOrEqual(after.policy.maxPivotAttempts);
      expect(researches).toBeLessThanOrEqual(after.policy.maxResearchAttempts);
    }
  });

  prop(
    "it leaves normal only if stuck, at the cap, or on request",
    [policies, escalationHistories()],
    (policy, told) => {
      for (const { event, before, after } of steps(policy, told)) {
        const { level, failures } = after.escalation;
        const { recovery } = after.policy;
        const hasLevel = recovery.includes("pivot") || recovery.includes("research");
        if (before.escalation.level !== "normal") continue;
        const isStuck = event.type === "attempt.failed" && detectStuck(after.escalation, after.policy) !== null;
        const counted = event.type === "attempt.failed" || event.type === "attempt.rejected";
        const atCap = counted && !hasLevel && failures >= (totalCap(after.policy) as number);
        expect(level !== "normal").toBe(isStuck || atCap || event.type === "attempts.exhausted");
      }
    },
  );

  prop("its state is its level, and lists are capped", [policies, escalationHistories()], (policy, told) => {
    for (const { after, state } of steps(policy, told)) {
      const { level, approaches, findings, fileStates } = after.escalation;
      expect(valueIn(state as Step)).toBe(restsIn[level]);
      expect(Math.max(approaches.length, findings.length)).toBeLessThanOrEqual(10);
      expect(fileStates.length).toBeLessThanOrEqual(20);
    }
  });

  prop("it reaches a checkpoint if there are only failures", [policies], (policy) => {
    expect(play(Array(11).fill(failed("e")), { policy }).value).toBe("checkpoint");
  });

  prop(
    "a step, an actor and a restored state have the same result",
    [policies, escalationHistories()],
    (policy, told) => {
      const actor = createActor(machine, { input: { policy } });
      const emitted: RunEvent[] = [];
      actor.on("level.changed", (event) => emitted.push(event));
      actor.start();
      let step = start(machine, { policy });
      for (const event of told) {
        actor.send(event);
        step = send(machine, restore(machine, JSON.parse(JSON.stringify(step.state))), event);
        expect(valueIn(step)).toBe(actor.getSnapshot().value);
        expect(contextIn(step)).toEqual(actor.getSnapshot().context);
      }
      expect(emitted).toEqual(follow({ policy }, told).events);
    },
  );
});
