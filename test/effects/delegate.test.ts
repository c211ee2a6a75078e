import { describe, expect, it } from "vitest";
import { createRunMemory } from "../../src/effects/run-memory.ts";
import { withMemory } from "../../src/effects/with-memory.ts";
import type { EffectInput } from "../../src/model/effect.ts";
import { noEscalation } from "../../src/model/escalation.ts";
import { noLimits } from "../../src/model/limits.ts";
import type { RunRecord } from "../../src/model/record.ts";
import type { Reply } from "../../src/model/reply.ts";
import type { Ports } from "../../src/ports/ports.ts";
import { memoryStore } from "../../src/testing/memory-store.ts";
import { type ScriptedAnswer, scriptedExecutor } from "../../src/testing/scripted-ports.ts";
import { recordAnswer } from "../support/answered.ts";
import { inputs } from "../support/effect-inputs.ts";
import { memoryPorts } from "../support/memory-run.ts";
import { performing } from "../support/performing.ts";
import { evidenceWith } from "../support/sample-failure.ts";
import { withoutPlan } from "../support/seen-plan.ts";

const never = new AbortController().signal;
const plan = "- [ ] 1.1 First\n  - **Do**: the whole\n- [ ] 1.1.1 [FIX 1.1] Fix: adds\n  - **Do**: the fix\n";

function world(said: ScriptedAnswer = "TASK_COMPLETE", more: Partial<Ports> = {}, log = "") {
  const made: RunRecord[] = [];
  const append = (more: readonly RunRecord[]) => void made.push(...withoutPlan(more));
  const memory = createRunMemory({ open: 1, store: { append, writeOutput: () => {}, readOutput: async () => "" } });
  const executor = scriptedExecutor({ "1.1": [said], "1.1.1": [said] });
  const ports = { ...memoryPorts(memoryStore(plan, log), executor), ...more, attempts: memory };
  const effects = performing(withMemory(ports));
  const delegate = (task = "1.1", input: Partial<EffectInput<"delegate">> = {}, signal = never) =>
    effects.delegate(inputs.delegate(task, 1, { root: "1.1", ...input }), signal);
  const prompt = () => executor.delegations.at(-1)?.prompt ?? "";
  return { memory, executor, made, effects, delegate, prompt };
}

describe("a delegation", () => {
  it("contains its spec, its task, and the path for its learnings", async () => {
    const { delegate, executor, prompt } = world();
    expect(await delegate()).toStrictEqual({ kind: "replied" });
    expect(executor.delegations).toMatchObject([
      {
        ...{ key: "1.1#1", role: "executor", taskId: "1.1", attempt: 1, workspace: "/work" },
        ...{ spec: "/work/specs/sample", progressFile: "/work/specs/sample/.progress.md" },
      },
    ]);
    for (const told of ["Spec: sample\nPath: /work/specs/sample", "the whole"]) expect(prompt()).toContain(told);
    const bare = world("TASK_COMPLETE", { workspace: undefined, spec: undefined } as never);
    await bare.delegate();
    expect(bare.executor.delegations).toMatchObject([{ workspace: "", spec: "" }]);
    const ending = world("TASK_COMPLETE", { spec: "C:\\work\\specs\\sample\\" });
    await ending.delegate();
    expect(ending.prompt()).toContain("Spec: sample\n");
  });

  it("has a separate log in a batch", async () => {
    const { delegate, executor, prompt } = world();
    await delegate("1.1.1", { grouped: true });
    const file = executor.delegations[0]?.progressFile ?? "";
    expect(file).toMatch(/^\/work\/specs\/sample\/.+1\.1/);
    expect(file).not.toBe("/work/specs/sample/.progress.md");
    expect(prompt()).toContain(file);
  });

  it("contains the end of the progress log", async () => {
    const { delegate, prompt } = world("TASK_COMPLETE", {}, `BEGIN${"x".repeat(4091)}END`);
    await delegate();
    expect(prompt()).toContain("xEND");
    expect(prompt()).not.toContain("BEGIN");
    const whole = world("TASK_COMPLETE", {}, `BEGIN${"x".repeat(4088)}END`);
    await whole.delegate();
    expect(whole.prompt()).toContain("BEGINxxx");
  });

  it("contains the planned task if it is for a fix or a part", async () => {
    const { delegate, prompt } = world();
    const escalation = { ...noEscalation, failures: 1, lastError: "boom", evidence: evidenceWith(["adds"]) };
    await delegate("1.1.1", { escalation });
    for (const told of ["the fix", "the whole"]) expect(prompt()).toContain(told);
    await delegate("1.1", { escalation });
    expect(prompt()).not.toContain("the fix");
    expect(prompt().match(/the whole/g)).toHaveLength(1);
  });

  it("contains the index and number of its part", async () => {
    const { delegate, memory, prompt } = world();
    const directive = { strategy: "decompose", parts: ["read it", "write it"] };
    recordAnswer(memory, "1.1#1/askOperator", { kind: "directed", directive });
    await delegate("1.1~2");
    for (const told of ["The whole task, for background", "write it", "2 of 2"]) expect(prompt()).toContain(told);
  });

  it("is shorter if earlier prompts were too long", async () => {
    const { delegate, prompt } = world();
    await delegate();
    const length = prompt().length;
    await delegate("1.1", { tooLong: 0 });
    expect(prompt()).toHaveLength(length);
    await delegate("1.1", { tooLong: 2 });
    expect(prompt().length).toBeLessThan(length);
  });

  it("is recorded with its level and the rung that led to it, if any", async () => {
    const { delegate, made } = world();
    await delegate("1.1", { remedy: "pivot", climb: { level: "pivot" } as never });
    expect(made[0]).toMatchObject({ type: "delegated", rung: "pivot", level: "pivot" });
    await delegate();
    for (const field of ["rung", "level"]) expect(made[2]).not.toHaveProperty(field);
  });

  it("hashes the files only if the ladder uses being stuck", async () => {
    const asked: (readonly string[])[] = [];
    const fileState = async (declared: readonly string[]) => {
      asked.push(declared);
      return "state";
    };
    const { delegate, memory } = world("TASK_COMPLETE", { fileState });
    await delegate("1.1", { escalates: false });
    expect(asked).toEqual([]);
    expect((await memory.recall("1.1#1")).fileState).toBe(null);
  });

  it("is denied by a limit of the run without a call of the executor", async () => {
    const { delegate, executor } = world();
    await delegate();
    const limits = { ...noLimits, maxGlobalIterations: 1 };
    expect(await delegate("1.1", { limits })).toMatchObject({ kind: "denied", limit: "maxGlobalIterations" });
    expect(executor.delegations).toHaveLength(1);
  });
});

describe("an executor interrupted by a stop of the run", () => {
  const stopped = async (reply: Reply) => {
    const stop = new AbortController();
    const { delegate, made } = world(() => {
      stop.abort(new Error("interrupted"));
      return reply;
    });
    const answer = delegate("1.1", {}, stop.signal);
    return { answer: await answer.catch((error: Error) => error.message), types: made.map(({ type }) => type) };
  };

  it("has its claim of completion accepted, and is otherwise asked again", async () => {
    expect(await stopped({ text: "TASK_COMPLETE" })).toEqual({
      ...{ answer: { kind: "replied" }, types: ["delegated", "answered"] },
    });
    expect(await stopped({ text: "Well, I" })).toEqual({ answer: "interrupted", types: ["delegated"] });
  });

  it("has a claim ignored if it was ended by the stop", async () => {
    expect(await stopped({ text: "TASK_COMPLETE", ended: "signal" })).toEqual({
      ...{ answer: "interrupted", types: ["delegated"] },
    });
    const { delegate } = world({ text: "TASK_COMPLETE", ended: "signal" });
    expect(await delegate()).toStrictEqual({ kind: "replied" });
  });

  it("is not called if the run was stopped before", async () => {
    const { delegate, executor, made } = world();
    await expect(delegate("1.1", {}, AbortSignal.abort(new Error("interrupted")))).rejects.toThrow("interrupted");
    expect([executor.delegations, made]).toEqual([[], []]);
  });
});

describe("an executor with an invalid reply", () => {
  const failing = async (said: ScriptedAnswer) => world(said).delegate();

  it("ends the run, and the error says why", async () => {
    await expect(failing({ text: 7 } as never)).rejects.toMatchObject({
      code: "executor-failed",
      message: expect.stringMatching(/^Cannot execute task `1\.1`: Error: its reply is invalid: .*string/),
      hint: "Fix the executor, then run again: the attempt is repeated",
    });
    const thrown = () => {
      throw new Error("boom");
    };
    await expect(failing(thrown)).rejects.toMatchObject({
      ...{ code: "executor-failed", message: "Cannot execute task `1.1`: Error: boom" },
    });
    await expect(failing({ text: "no such program", ended: "spawn" })).rejects.toMatchObject({
      ...{ code: "executor-not-started", message: "Cannot start the executor for task `1.1`: no such program" },
    });
  });

  it("is taken as it is, except for a claim, which is checked", async () => {
    const { delegate, memory } = world({
      ...{ text: "x", claim: { kind: "complete", more: 1 } as never, note: "mine" },
    } as Reply);
    await delegate();
    expect((await memory.recall("1.1#1")).reply.claim).toStrictEqual({ kind: "complete" });
    const plain = world({ text: "TASK_COMPLETE" });
    await plain.delegate();
    expect((await plain.memory.recall("1.1#1")).reply).not.toHaveProperty("claim");
  });
});
