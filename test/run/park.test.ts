import { describe, expect, it } from "vitest";
import { readPolicy } from "../../src/model/policy.ts";
import type { RunRecord } from "../../src/model/record.ts";
import { apply } from "../../src/run/apply.ts";
import { newRun } from "../../src/run/new-run.ts";
import { completeAnswer } from "../../src/run/pull-request.ts";
import { select } from "../../src/run/select.ts";
import { answered } from "../support/answered.ts";

const chosen = (turn: number, root: string): RunRecord =>
  answered(`run#${turn}/chooseTask`, { kind: "task", root, current: root });
const begun: RunRecord = {
  ...{ type: "delegated", key: "1.1#1", task: "1.1", role: "executor", attempt: 1, retries: 0, elapsedMs: 0 },
};
const asks = (key: string, more: object = { parked: true }): RunRecord =>
  answered(key, { kind: "gate", reason: "Why?", hint: "So", ...more });
function behind(...records: readonly RunRecord[]) {
  const state = newRun();
  for (const record of records) apply(state, record);
  return state;
}
const waiting = { key: "1.1#1/verify", reason: "Why?", hint: "So" };

describe("a question of an unattended run", () => {
  const gate = { kind: "gate", reason: "Why?", hint: "So" } as const;
  const nobody = readPolicy({ unattended: true });

  it.each(["changePlan", "verify", "review", "wait", "askPerson"] as const)("parks its task: %s", (name) => {
    expect(completeAnswer(newRun(), nobody, name, gate)).toEqual({ ...gate, parked: true });
    expect(completeAnswer(newRun(), readPolicy(), name, gate)).toEqual(gate);
  });

  it("ends the run if it is about the run", () => {
    expect(completeAnswer(newRun(), nobody, "confirmCompletion", gate)).toEqual(gate);
    expect(completeAnswer(newRun(), nobody, "wait", { ...gate, ofRun: true })).toEqual({ ...gate, ofRun: true });
    expect(completeAnswer(newRun(), nobody, "wait", { kind: "waited" })).toEqual({ kind: "waited" });
  });
});

describe("a task that waits for a person", () => {
  it.each([
    ["verify", { attempts: 1, waits: 1 }],
    ["review", { attempts: 1, waits: 1 }],
    ["changePlan", { attempts: 1, waits: 1 }],
    ["askPerson", { attempts: 1 }],
    ["wait", { attempts: 1 }],
  ])("keeps its question, and spends no attempt that was not judged: %s", (effect, spent) => {
    const key = `1.1#1/${effect}`;
    const state = behind(chosen(1, "1.1"), begun, asks(key));
    expect(state.parked).toEqual({ "1.1": { ...waiting, key } });
    expect(state.tasks["1.1"]).toEqual({ retries: 0, fixes: [], ...spent });
  });

  it("is not parked if the run ends with its question", () => {
    expect(behind(chosen(1, "1.1"), begun, asks("1.1#1/verify", {})).parked).toEqual({});
  });

  it("waits until it is resumed, or has passed", () => {
    const parked = [chosen(1, "1.1"), begun, asks("1.1#1/verify"), chosen(2, "1.2")];
    const taken: RunRecord = { type: "takenUp", tasks: ["1.1", "1.9"] };
    const state = behind(...parked);
    expect([
      ...select(
        () => state,
        async () => ({}) as never,
      )
        .parked()
        .keys(),
    ]).toEqual(["1.1"]);
    apply(state, taken);
    expect(state.parked).toEqual({ "1.1": { ...waiting, again: true } });
    expect([
      ...select(
        () => state,
        async () => ({}) as never,
      )
        .parked()
        .keys(),
    ]).toEqual([]);
    apply(state, chosen(3, "1.0"));
    expect(state.parked).toEqual({});
    expect(behind(...parked, chosen(3, "1.2")).parked).toEqual({ "1.1": waiting });
    expect(behind(...parked, { type: "passed", key: "1.1#1", commit: null }).parked).toEqual({});
  });
});
