import { describe, expect, it } from "vitest";
import { createRunMemory } from "../../src/effects/run-memory.ts";
import type { Judgement } from "../../src/model/judgement.ts";
import { noLimits } from "../../src/model/limits.ts";
import type { RunRecord } from "../../src/model/record.ts";
import type { AdmittedDelegation } from "../../src/ports/attempt-record.ts";
import { answered, recordAnswer } from "../support/answered.ts";

const delegated = (key: string, more: object = {}): RunRecord => ({
  ...{ type: "delegated", key, task: key.slice(0, key.indexOf("#")), role: "executor" },
  ...{ attempt: Number(key.slice(key.indexOf("#") + 1)), retries: 0, elapsedMs: 0, ...more },
});
const fix = {
  ...{ id: "1.1.1", fixOf: "1.1", summary: "s", error: "e", attemptedFix: "a", doneWhen: "d", files: "f" },
  ...{ verify: "v", commit: "c" },
};
const ended: RunRecord = {
  ...{ type: "ended", planHash: "", denial: null },
  ending: {
    ...{ type: "run.ended", outcome: "gate", exitCode: 3, original: 1, fixes: 0, attempts: 1 },
    ...{ skipped: [], tickedByHand: 0, durationMs: 0 },
  },
};

const begun = { headBefore: null, mark: null, fileState: null };

const storeOf = (records: RunRecord[]) => ({
  append: (made: readonly RunRecord[]) => void records.push(...made),
  writeOutput: () => {},
  readOutput: async () => "",
});

function memoryOf(...records: readonly RunRecord[]) {
  const memory = createRunMemory();
  for (const record of records) memory.apply(record);
  return memory;
}

describe("the memory of a run", () => {
  it("forgets a fix that was never written, also one that it does not know", () => {
    const intended: RunRecord = { type: "intended", key: "1.1#1", fix };
    const memory = memoryOf(intended, { type: "dropped", fix: "1.1.1" }, { type: "dropped", fix: "9" });
    expect(memory.ledger.tasks["1.1"]?.fixes).toEqual([]);
    expect(memory.intended("1.1.1")).toBe(null);
  });

  it("knows of a fix what it was made for, and all of it until the next turn", () => {
    const madeFor = { fingerprint: "f" };
    const intended: RunRecord = { type: "intended", key: "1.1#1", fix: { ...fix, madeFor } };
    const memory = memoryOf(intended);
    expect(memory.intended("1.1.1")).toEqual({ error: fix.error, madeFor, madeAfter: 0 });
    expect(memory.state.turn.fixes).toEqual({ "1.1#1": { ...fix, madeFor } });
    memory.apply(answered("run#1/chooseTask", { kind: "task", root: "1.1", current: "1.1.1", spent: {} }));
    expect(memory.intended("1.1.1")).toEqual({ error: fix.error, madeFor, madeAfter: 0 });
    expect(memory.state.turn.fixes).toEqual({});
    expect(memoryOf({ type: "intended", key: "1.1#1", fix }).intended("1.1.1")).toEqual({
      error: fix.error,
      madeAfter: 0,
    });
  });

  it("I2: counts a fix whose task a person has ticked towards the limits of that one", () => {
    const failed = answered("1.1.1#1/readFailure", { kind: "task", error: "e", fingerprint: "f" });
    const memory = memoryOf(delegated("1.1#1"), { type: "intended", key: "1.1#1", fix }, delegated("1.1.1#1"), failed);
    expect(Object.keys(memory.spent("1.1.1"))).toEqual(["1.1", "1.1.1"]);
    expect(memory.spent("1.1.1")).toEqual(memory.spent("1.1"));
    expect(memory.escalation("1.1.1")).toEqual(memory.escalation("1.1"));
    recordAnswer(memory, "1.1.1#1/askOperator", {
      kind: "directed",
      directive: { strategy: "retry", adjustment: "x" },
    });
    expect(memory.repairs("1.1.1")).toHaveLength(1);
    expect(memory.repairs("1.1.1")).toEqual(memory.repairs("1.1"));
  });

  it("takes it that a person has seen to executors while the run was stopped", () => {
    const records = [delegated("1.1#1"), answered("1.1#1/readFailure", { kind: "auth", until: null, fallback: true })];
    expect(memoryOf(...records).availability.nextFree("executor", [0], 5)).toBe(null);
    expect(memoryOf(...records, ended).availability.nextFree("executor", [0], 5)).toBe(5);
  });

  it("knows until when a repair operator cannot work", () => {
    const asked = delegated("1.1#1/askOperator", { task: "1.1", role: "operator", attempt: 1 });
    const answer = { kind: "malformed", reason: "r", until: 9000 };
    const { availability, ledger } = memoryOf(asked, answered("1.1#1/askOperator", answer));
    expect(availability.nextFree("operator", [0], 0)).toBe(9000);
    expect(ledger.tasks).toEqual({});
  });

  it("gives an attempt at a level back that has spent nothing, and counts the one in its place", () => {
    const pivot = { level: "pivot" };
    const limited = answered("1.1#1/readFailure", { kind: "rate-limit", until: 9 });
    const limitedAgain = answered("1.1#2/readFailure", { kind: "rate-limit", until: 9 });
    const failed = answered("1.1#2/readFailure", { kind: "task", error: "e", fingerprint: "f" });
    const first = [delegated("1.1#1", pivot), delegated("1.1#1", pivot)];
    expect(memoryOf(...first).escalation("1.1").pivots).toBe(1);
    expect(memoryOf(...first, limited).escalation("1.1").pivots).toBe(0);
    expect(memoryOf(...first, { type: "refunded", key: "1.1#1" }).escalation("1.1").pivots).toBe(0);
    expect(memoryOf(...first, failed, delegated("1.1#2"), limitedAgain).escalation("1.1").pivots).toBe(1);
    expect(memoryOf(...first, limited, delegated("1.1#2", pivot)).escalation("1.1").pivots).toBe(1);
    const again = [...first, limited, delegated("1.1#2", pivot), failed, delegated("1.1#3", pivot)];
    expect(memoryOf(...again).escalation("1.1").pivots).toBe(2);
    const higher = [...first, limited, delegated("1.1#2", { level: "research" })];
    expect(memoryOf(...higher).escalation("1.1")).toMatchObject({ pivots: 0, researches: 1 });
    const chosen = answered("run#2/chooseTask", { kind: "task", root: "1.1", current: "1.1", spent: {} });
    expect(memoryOf(...first, limited, chosen, delegated("1.1#2", pivot)).escalation("1.1").pivots).toBe(1);
    expect(memoryOf(delegated("1.1#1", { level: "normal" })).escalation("1.1").pivots).toBe(0);
  });

  it("knows by number what a part is to do", () => {
    const directive = { strategy: "decompose", parts: ["one", "two"] } as const;
    const memory = memoryOf(answered("1.1#1/askOperator", { kind: "directed", directive }));
    expect(["1.1~1", "1.1~2", "1.1~3"].map((id) => memory.part(id))).toEqual(["one", "two", null]);
  });

  it("tells the batch that is under way, and the changes that were granted", () => {
    const memory = memoryOf(
      answered("run#1/chooseTask", { kind: "batch", members: [{ root: "1.1" }, { root: "1.2" }] }),
    );
    expect(memory.batch).toEqual(["1.1", "1.2"]);
    expect(memory.changes).toEqual({});
  });

  it("keeps a reply in place of an answer that had no text", async () => {
    const reply = { text: null, headBefore: null };
    const memory = memoryOf({ ...answered("1.1#1/delegate", { kind: "replied" }), reply } as RunRecord);
    expect((await memory.recall("1.1#1")).reply).toEqual({ text: "" });
  });

  it("knows what a start before was advised, of each task the latest", () => {
    const memory = memoryOf(
      { type: "guided", task: "1.1", text: "There" },
      { type: "guided", task: "1.2", text: "Elsewhere" },
      answered("1.2#1/askPerson", { kind: "guided", text: "Here" }),
    );
    expect(["1.1", "1.2", "1.3"].map(memory.guidance)).toEqual(["There", "Here", null]);
  });

  it("leaves what a plain answer of an operator means to others", () => {
    expect(memoryOf(answered("1.1#1/recordSkip", { kind: "skipped" })).skipped().size).toBe(0);
    expect(memoryOf(answered("1.1#1/recordPass", { kind: "recorded", open: true })).isAccepted("1.1")).toBe(false);
  });
});

describe("limits on what is not told", () => {
  const delegation: AdmittedDelegation = {
    ...{ key: "1.1#1", task: "1.1", title: "First", role: "executor", attempt: 1, retries: 0, executor: 0 },
  };

  it("are said once to count nothing, each where it is set", async () => {
    for (const [limits, said] of [
      [{ ...noLimits }, 0],
      [{ ...noLimits, maxCost: 1 }, 1],
      [{ ...noLimits, maxTokens: 10 }, 1],
    ] as const) {
      let told = 0;
      const memory = createRunMemory({ onUnknownUsage: () => told++ });
      await memory.admit(delegation, limits);
      expect(told).toBe(0);
      recordAnswer(memory, "1.1#1/delegate", { kind: "replied" }, { reply: { ...begun, reply: { text: "" } } });
      for (const _ of [1, 2]) await memory.admit(delegation, limits);
      expect(told).toBe(said);
      await createRunMemory().admit(delegation, limits);
    }
  });
});

const judgement: Judgement = {
  kind: "accepted",
  layers: [],
  evidence: {
    ...{ signal: "complete", contradiction: null, exitCode: 0, ended: "exit", git: null, undeclared: [] },
    ticked: { set: [], cleared: [] },
    ...{ verify: null, reality: null },
  },
};

describe("a memory with a store", () => {
  it("writes a long reply to a file, and what a person answers counts when that is recorded", async () => {
    const outputs = new Map<string, string>();
    const records: RunRecord[] = [];
    const memory = createRunMemory({
      store: {
        append: (made) => records.push(...made),
        writeOutput: (key, text) => outputs.set(key, text),
        readOutput: async (key) => outputs.get(key) ?? "",
      },
    });
    const reply = { text: "x".repeat(5000) };
    recordAnswer(memory, "1.1#1/delegate", { kind: "replied" }, { reply: { ...begun, reply, fileState: "s" } });
    expect(records).toMatchObject([{ reply: { text: null, fileState: "s" } }]);
    const again = memoryOf();
    expect(again.knows("1.1#1")).toBe(false);
    expect([...outputs]).toEqual([["1.1#1", reply.text]]);
    expect((await memory.recall("1.1#1")).reply).toEqual(reply);
    recordAnswer(memory, "1.1#1/verify", { kind: "rejected", layer: "contradiction", reason: "it is not" });
    expect([memory.guidance("1.1"), memory.escalation("1.1").failures]).toEqual([null, 1]);
    recordAnswer(memory, "1.1#1/askPerson", { kind: "guided", text: "There" });
    expect([memory.guidance("1.1"), memory.escalation("1.1").failures]).toEqual(["There", 0]);
  });

  it("knows a claim as judged once its verdict is recorded", () => {
    let isFull = false;
    const append = (): void => {
      if (isFull) throw new Error("no space left");
    };
    const memory = createRunMemory({ store: { append, writeOutput: () => {}, readOutput: async () => "" } });
    recordAnswer(memory, "1.1#1/delegate", { kind: "replied" }, { reply: { ...begun, reply: { text: "" } } });
    expect(memory.unjudged()).toEqual(["1.1#1"]);
    isFull = true;
    const judge = () => recordAnswer(memory, "1.1#1/verify", { kind: "accepted" }, { judgement });
    expect(judge).toThrow("no space left");
    expect(memory.unjudged()).toEqual(["1.1#1"]);
    isFull = false;
    judge();
    expect(memory.unjudged()).toEqual([]);
  });

  it("counts what a review has used, and so does the next start", () => {
    const records: RunRecord[] = [];
    const memory = createRunMemory({ store: storeOf(records) });
    const usage = { inputTokens: 3, outputTokens: 4, costUsd: 2 };
    const review = { verdict: "pass", code: "", spec: "", round: 1 } as const;
    recordAnswer(
      memory,
      "1.1#1/review",
      { kind: "accepted", passed: true, findings: "" },
      { review: { ...review, usage } },
    );
    recordAnswer(memory, "1.1#2/review", { kind: "accepted", passed: true, findings: "" }, { review });
    for (const each of [memory, memoryOf(...records)]) expect(each.ledger).toMatchObject({ costUsd: 2, tokens: 7 });
  });

  it("knows a fix that is intended for an attempt already", async () => {
    const memory = memoryOf();
    expect(await memory.intend("1.1#1", fix)).toEqual(fix);
    expect(await memory.intend("1.1#1", { ...fix, id: "1.1.2" })).toEqual(fix);
  });
});

describe("what a memory appends to its store", () => {
  const reply = { ...begun, reply: { text: "TASK_COMPLETE" } };
  const choice = { kind: "task", root: "1.1", current: "1.1", spent: {} };

  /** A memory, and in turn what was appended to its store and asked of it. */
  function stored() {
    const appended: { readonly types: string[]; readonly durable: boolean; readonly at: number | undefined }[] = [];
    const taken: unknown[] = [];
    const memory = createRunMemory({
      store: {
        append: (made, { durable, at }) => void appended.push({ types: made.map(({ type }) => type), durable, at }),
        snapshot: (take) => void taken.push(structuredClone(take())),
        writeOutput: () => {},
        readOutput: async () => "",
      },
    });
    return { memory, appended, taken };
  }

  it("is durable, unless it can be had again: an answer of no person, and a flush", () => {
    const { memory, appended } = stored();
    recordAnswer(memory, "1.1#1/delegate", { kind: "replied" }, { reply }, { at: 7 });
    recordAnswer(memory, "1.1#1/askPerson", { kind: "guided", text: "x" }, undefined, {
      by: { via: "terminal" } as never,
    });
    memory.record([{ type: "flushed", tasks: ["1.1"] }]);
    memory.record([{ type: "guided", task: "1.1", text: "x" }]);
    memory.record([{ type: "flushed", tasks: [] }, { type: "left" }]);
    expect(appended.map(({ durable }) => durable)).toEqual([false, true, false, true, true]);
    expect(appended.map(({ at }) => at)).toEqual([7, undefined, undefined, undefined, undefined]);
  });

  it("may wait for what is appended next, but counts at once; who asks is told when it is there", () => {
    const { memory, appended } = stored();
    const told: string[] = [];
    const tell = (what: string) => () => void told.push(what);
    memory.record([{ type: "guided", task: "1.1", text: "x" }], { hold: true, onAppended: tell("held") });
    expect([memory.guidance("1.1"), appended, told]).toEqual(["x", [], []]);
    expect(memory.held.map(({ type }) => type)).toEqual(["guided"]);
    memory.record([{ type: "left" }], { onAppended: tell("next") });
    expect(appended.map(({ types }) => types)).toEqual([["guided", "left"]]);
    expect(told).toEqual(["held", "next"]);
    expect(memory.held).toEqual([]);
    memory.appendHeld();
    memory.pause();
    expect(appended).toHaveLength(1);
    memory.record([{ type: "left" }], { hold: true, onAppended: tell("last") });
    memory.appendHeld();
    expect([appended.length, told.at(-1)]).toEqual([2, "last"]);
    memory.record([{ type: "left" }], { hold: true });
    memory.pause();
    expect(appended).toHaveLength(3);
  });

  it("may be replaced by its state when a turn begins, as that is before the turn", () => {
    const { memory, appended, taken } = stored();
    recordAnswer(memory, "1.1#1/delegate", { kind: "replied" }, { reply });
    expect(taken).toEqual([]);
    memory.record([{ type: "guided", task: "1.1", text: "x" }], { hold: true });
    const before = structuredClone(memory.state);
    recordAnswer(memory, "run#1/chooseTask", choice, undefined, { at: 9 });
    expect(taken).toEqual([before]);
    expect(appended.map(({ types, at }) => [...types, at])).toEqual([
      ["answered", undefined],
      ["guided", 9],
      ["answered", 9],
    ]);
    expect(memory.state.turns).toBe(before.turns + 1);
  });

  it("is a reply, where a store has made the attempt live", async () => {
    const { memory } = stored();
    memory.apply(delegated("1.1#1"));
    memory.apply({
      ...answered("1.1#1/delegate", { kind: "replied" }),
      reply: { text: "x", headBefore: null },
    } as RunRecord);
    recordAnswer(memory, "1.1#1/verify", { kind: "accepted" }, { judgement });
    expect((await memory.recall("1.1#1")).live).toBe(false);
    recordAnswer(memory, "1.1#2/delegate", { kind: "replied" }, { reply });
    expect((await memory.recall("1.1#2")).live).toBe(true);
    recordAnswer(memory, "run#2/chooseTask", choice);
    recordAnswer(memory, "1.1#1/delegate", { kind: "replied" }, { reply });
    expect((await memory.recall("1.1#1")).live).toBe(true);
  });

  it("is what is intended, judged and planned, each once", async () => {
    const { memory, appended } = stored();
    await memory.intend("1.1#1", fix);
    await memory.intend("1.1#1", fix);
    const change = { task: "1.1", place: "behind", tasks: [] } as const;
    expect(memory.planned("1.1#1")).toBe(null);
    await memory.plan("1.1#1", { type: "ADD_FOLLOWUP", change });
    expect(memory.planned("1.1#1")).toEqual({ type: "ADD_FOLLOWUP", change });
    await memory.noteClosed("1.1.1", "1.1");
    expect(appended.map(({ types }) => types)).toEqual([["intended"], ["planned"], ["closed"]]);
  });

  it("is no long reply where there is no store: all of it is kept", async () => {
    const memory = createRunMemory();
    const text = "x".repeat(5000);
    recordAnswer(memory, "1.1#1/delegate", { kind: "replied" }, { reply: { ...begun, reply: { text } } });
    expect((await memory.recall("1.1#1")).reply.text).toBe(text);
  });

  it("is a reply of 4096 characters as it is", () => {
    const { memory } = stored();
    const text = "x".repeat(4096);
    recordAnswer(memory, "1.1#1/delegate", { kind: "replied" }, { reply: { ...begun, reply: { text } } });
    expect(memory.state.turn.attempts["1.1#1"]?.reply.text).toBe(text);
  });
});
