import { describe, expect, it } from "vitest";
import { createEffects } from "../../src/effects/create-effects.ts";
import { createKnownPlan } from "../../src/effects/known-plan.ts";
import { createRunMemory } from "../../src/effects/run-memory.ts";
import { withMemory } from "../../src/effects/with-memory.ts";
import type { Effect, EffectInput, EffectName } from "../../src/model/effect.ts";
import { noLimits } from "../../src/model/limits.ts";
import type { RunRecord } from "../../src/model/record.ts";
import { attemptOf, taskOf } from "../../src/model/reply.ts";
import { memoryStore } from "../../src/testing/memory-store.ts";
import { scriptedExecutor } from "../../src/testing/scripted-executor.ts";
import { stillClock } from "../../src/testing/still-clock.ts";
import { inputs } from "../support/effect-inputs.ts";
import { memoryPorts } from "../support/memory-run.ts";
import { plainFailure } from "../support/sample-failure.ts";

const plan = "- [ ] 1.1 First\n- [ ] 1.2 Second\n";
const reply = { text: "TASK_COMPLETE", usage: { costUsd: 2 } };

/** Effects whose answers somebody else gives, and what is recorded of those. */
function world() {
  const records: RunRecord[] = [];
  const store = memoryStore(plan);
  const append = (made: readonly RunRecord[], { at }: { readonly at?: number | undefined }) =>
    void records.push(...made.map((record) => (at === undefined ? record : { ...record, at })));
  const memory = createRunMemory({ open: 2, store: { append, writeOutput: () => {}, readOutput: async () => "" } });
  const ports = memoryPorts(store, scriptedExecutor());
  const known = createKnownPlan(store);
  const effects = createEffects(withMemory({ ...ports, clock: stillClock(7), attempts: memory, plan: known }));
  const remember = (key: string, answer: object, input: object = {}): void =>
    effects.remember(effectOf(key, input), answer);
  return { records, memory, store, known, effects, remember };
}

function effectOf(key: string, input: object): Effect {
  const name = key.slice(key.lastIndexOf("/") + 1) as EffectName;
  return { name, key, input: { key, task: taskOf(key), ...input } } as unknown as Effect;
}

const delegating = (key: string, more: Partial<EffectInput<"delegate">> = {}) =>
  inputs.delegate(taskOf(key), Number(attemptOf(key).split("#")[1]), more);

describe("an attempt that somebody else has made", () => {
  it("counts as one of ours does: by the executor, with its reply and what it has used", async () => {
    const { remember, memory, records } = world();
    remember("1.1#2/delegate", { kind: "replied", reply }, delegating("1.1#2/delegate", { retries: 1 }));
    expect(records).toStrictEqual([
      {
        ...{ type: "delegated", key: "1.1#2", task: "1.1", role: "executor", attempt: 2, retries: 1, executor: 0 },
        elapsedMs: 0,
      },
      {
        ...{ type: "answered", effect: "delegate", key: "1.1#2/delegate", answer: { kind: "replied" }, at: 7 },
        reply: { ...reply, headBefore: null, mark: null },
      },
    ]);
    expect(memory.ledger).toMatchObject({ costUsd: 2, tasks: { "1.1": { attempts: 2, retries: 1 } } });
    expect(await memory.recall("1.1#2")).toMatchObject({ reply, live: true });
  });

  it("is made at its level, for the rung that has led to it", () => {
    const { remember, memory, records } = world();
    const climb = { level: "pivot", directions: [] } as unknown as EffectInput<"delegate">["climb"];
    const input = delegating("1.1#1/delegate", { climb, remedy: "fix" });
    remember("1.1#1/delegate", { kind: "replied", reply }, input);
    expect(records[0]).toMatchObject({ level: "pivot", rung: "fix" });
    expect(memory.escalation("1.1").pivots).toBe(1);
  });

  it("is none where the limit of the run denied it", () => {
    const { remember, memory, records } = world();
    const denied = { kind: "denied", limit: "maxTaskIterations", max: 1, task: "1.1" };
    for (const [name, input] of [
      ["delegate", delegating("1.1#1/delegate")],
      ["review", { round: 1, limits: noLimits }],
      ["askOperator", { round: 1, limits: noLimits }],
      ["insertFix", inputs.insertFix("1.1", plainFailure("boom"))],
    ] as const) {
      remember(`1.1#1/${name}`, denied, input);
    }
    expect(records.map(({ type }) => type)).toEqual(Array(4).fill("answered"));
    expect(memory.ledger.iterations).toBe(0);
  });

  it.each([
    ["replied", "delegate"],
    ["requested", "delegate"],
    ["gathered", "gatherParts"],
  ])("needs its reply where nobody has that: %s", (kind, name) => {
    const { remember, records } = world();
    const key = `1.1#1/${name}`;
    expect(() => remember(key, { kind }, delegating("1.1#1/delegate"))).toThrow(
      expect.objectContaining({
        code: "reply-missing",
        message: `Cannot take the answer to \`${key}\`, expected the reply of the attempt in it`,
        hint: `Answer { kind: "${kind}", reply: { text } } with the final message of whoever worked on the task`,
      }),
    );
    expect(records).toEqual([]);
    remember(key, { kind, reply }, delegating("1.1#1/delegate"));
    expect(() => remember(key, { kind }, delegating("1.1#1/delegate"))).not.toThrow();
  });

  it("has an answer in the form of its effect", () => {
    const { remember } = world();
    for (const answer of [{ kind: "accepted" }, null, "replied"]) {
      expect(() => remember("1.1#1/delegate", answer as object, delegating("1.1#1/delegate"))).toThrow(
        expect.objectContaining({ code: "answer-malformed" }),
      );
    }
  });

  it("is not remembered twice where these effects have answered themselves", async () => {
    const { effects, records } = world();
    const input = delegating("1.1#1/delegate");
    const answer = await effects.delegate(input, new AbortController().signal);
    const before = records.length;
    effects.remember({ name: "delegate", key: "1.1#1/delegate", input }, answer);
    expect(records).toHaveLength(before);
  });
});

const nothingSeen = {
  ...{ signal: null, contradiction: null, exitCode: 0, ended: "exit", git: null, undeclared: [] },
  ...{ ticked: { set: [], cleared: [] }, verify: null, reality: null },
};

describe("a verdict that somebody else has given", () => {
  it.each([
    [{ kind: "accepted" }, { kind: "accepted", layers: [{ layer: "verify", kind: "accepted" }] }],
    [
      { kind: "rejected", layer: "contradiction", reason: "it is not" },
      { kind: "rejected", layers: [{ layer: "contradiction", kind: "rejected", reason: "it is not" }] },
    ],
    [
      { kind: "failed", layer: "signal", reason: "no signal" },
      { kind: "failed", layers: [{ layer: "signal", kind: "failed", reason: "no signal" }] },
    ],
  ])("is recalled with the layer that it was decided by: %o", async (answer, judgement) => {
    const { remember, memory } = world();
    remember("1.1#1/delegate", { kind: "replied", reply }, delegating("1.1#1/delegate"));
    remember("1.1#1/verify", answer);
    expect((await memory.recall("1.1#1")).judgement).toStrictEqual({ ...judgement, evidence: nothingSeen });
  });

  it.each([
    { kind: "blocked", question: "Which?" },
    { kind: "gate", reason: "why", hint: "how" },
  ])("is none where a person is asked: %o", async (answer) => {
    const { remember, memory, records } = world();
    remember("1.1#1/delegate", { kind: "replied", reply }, delegating("1.1#1/delegate"));
    remember("1.1#1/verify", answer);
    expect(records.at(-1)).toStrictEqual({ type: "answered", effect: "verify", key: "1.1#1/verify", answer, at: 7 });
    expect((await memory.recall("1.1#1")).judgement).toBe(null);
  });
});

describe("what others have said of a task", () => {
  it.each([
    [
      { kind: "failed", findings: "it leaks" },
      { verdict: "fail", code: "it leaks", spec: "" },
    ],
    [
      { kind: "accepted", passed: false, findings: "say more" },
      { verdict: "fail", code: "", spec: "say more" },
    ],
    [
      { kind: "accepted", passed: true, findings: "" },
      { verdict: "pass", code: "", spec: "" },
    ],
  ])("is a review of its round: %o", async (answer, review) => {
    const { remember, memory, records } = world();
    remember("1.1#1/delegate", { kind: "replied", reply }, delegating("1.1#1/delegate"));
    remember("1.1#1/review", answer, { round: 2, limits: noLimits });
    expect(records[2]).toMatchObject({
      ...{ type: "delegated", key: "1.1#1/review", task: "1.1", role: "reviewer", attempt: 2, retries: 0 },
    });
    expect((await memory.recall("1.1#1")).review).toStrictEqual({ ...review, round: 2 });
    expect(memory.ledger.iterations).toBe(2);
  });

  it("is no review where a person is asked, but counts", async () => {
    const { remember, memory } = world();
    remember("1.1#1/delegate", { kind: "replied", reply }, delegating("1.1#1/delegate"));
    remember("1.1#1/review", { kind: "gate", reason: "why", hint: "how" }, { round: 1, limits: noLimits });
    expect((await memory.recall("1.1#1")).review).toBe(null);
    expect(memory.ledger.iterations).toBe(2);
  });

  it("is a directive of the repair operator, who was asked", () => {
    const { remember, memory, records } = world();
    const directive = { strategy: "retry", adjustment: "slower" };
    remember("1.1#1/askOperator", { kind: "directed", directive }, { round: 1, limits: noLimits });
    expect(records[0]).toMatchObject({ type: "delegated", key: "1.1#1/askOperator", role: "operator", attempt: 1 });
    expect(memory.repairs("1.1")).toEqual([{ task: "1.1", directive }]);
  });

  it("is nobody's work where it is a choice, a skip or the answer of a person", () => {
    const { remember, records } = world();
    remember("run#1/chooseTask", { kind: "none" });
    remember("1.1#1/recordSkip", { kind: "skipped" });
    remember("1.1#1/askPerson", { kind: "guided", text: "There" });
    expect(records.map(({ type }) => type)).toEqual(["answered", "answered", "answered"]);
  });
});

describe("a fix that somebody else has put into the plan", () => {
  it("is known with what it was made for", () => {
    const { remember, memory, records } = world();
    const failure = plainFailure(`boom ${"x".repeat(60)}`, { attemptedFix: "tried" });
    remember("1.1#1/insertFix", { kind: "inserted", fix: "1.1.1" }, inputs.insertFix("1.1", failure));
    expect(records[0]).toStrictEqual({
      ...{ type: "intended", key: "1.1#1" },
      fix: {
        ...{ id: "1.1.1", fixOf: "1.1", summary: failure.error.slice(0, 50), error: failure.error },
        ...{ attemptedFix: "tried", doneWhen: "", files: "", verify: null, commit: "" },
        madeFor: { fingerprint: failure.fingerprint },
      },
    });
    expect(memory.ledger.tasks["1.1"]?.fixes).toEqual(["1.1.1"]);
    expect(memory.superseded().size).toBe(0);
  });

  it("takes the place of the one that it is said to", () => {
    const { remember, memory } = world();
    const input = inputs.insertFix("1.1", plainFailure("boom"));
    remember("1.1#1/insertFix", { kind: "inserted", fix: "1.1.1" }, input);
    const other = { ...input, key: "1.1.1#1/insertFix", task: "1.1.1", supersedes: "1.1.1" };
    remember("1.1.1#1/insertFix", { kind: "inserted", fix: "1.1.2" }, other);
    expect([...memory.superseded()]).toEqual([["1.1.1", "1.1.2"]]);
  });
});

describe("a task for a pull request that somebody else has put into the plan", () => {
  it("is no fix", () => {
    const { remember, records } = world();
    const answer = { kind: "inserted", task: "5.5", checks: [], title: "Fix CI" };
    remember("run#1/addPullRequestTask", answer, { failure: plainFailure("boom") });
    expect(records.map(({ type }) => type)).toEqual(["answered"]);
  });
});

describe("the plan that somebody else has edited", () => {
  const edit = ({ store }: ReturnType<typeof world>): void => {
    store.tasks.text = "- [x] 1.1 First\n- [x] 1.2 Second\n- [ ] 1.3 Third\n";
  };
  const failure = plainFailure("boom");

  it.each([
    ["insertFix", { kind: "inserted", fix: "1.3" }, inputs.insertFix("1.1", failure)],
    ["changePlan", { kind: "extended", change: "ADD_FOLLOWUP", added: ["1.3"] }, { root: "1.1" }],
  ] as const)("is known with its text, but not with its boxes: %s", async (name, answer, input) => {
    const made = world();
    await made.known.known();
    edit(made);
    made.remember(`1.1#1/${name}`, answer, input);
    expect((await made.known.known()).text).toBe("- [ ] 1.1 First\n- [ ] 1.2 Second\n- [ ] 1.3 Third\n");
  });

  it("is known with the box of the task that has passed", async () => {
    const made = world();
    await made.known.known();
    edit(made);
    made.remember("1.1#1/recordPass", { kind: "recorded" }, inputs.recordPass("1.1"));
    expect((await made.known.known()).text).toBe("- [x] 1.1 First\n- [ ] 1.2 Second\n- [ ] 1.3 Third\n");
  });

  it("is not looked at again for what changes nothing in it", async () => {
    const made = world();
    await made.known.known();
    edit(made);
    made.remember("1.1#1/delegate", { kind: "replied", reply }, delegating("1.1#1/delegate"));
    made.remember("1.1#1/verify", { kind: "accepted" });
    expect((await made.known.known()).text).toBe(plan);
  });
});
