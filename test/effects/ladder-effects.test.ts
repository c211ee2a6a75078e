import { describe, expect, it } from "vitest";
import { createRunMemory } from "../../src/effects/run-memory.ts";
import { withMemory } from "../../src/effects/with-memory.ts";
import type { Directive } from "../../src/model/directive.ts";
import type { EffectInput, EffectName } from "../../src/model/effect.ts";
import { noEscalation } from "../../src/model/escalation.ts";
import { noLimits } from "../../src/model/limits.ts";
import type { Reply } from "../../src/model/reply.ts";
import type { Executor } from "../../src/ports/executor.ts";
import type { Ports } from "../../src/ports/ports.ts";
import { memoryStore } from "../../src/testing/memory-store.ts";
import { failedReply, type ScriptedAnswer, scriptedExecutor, scriptedShell } from "../../src/testing/scripted-ports.ts";
import { memoryPorts } from "../support/memory-run.ts";
import { performing } from "../support/performing.ts";

const plan = `## Phase 1: Work

- [x] 1.1 Before
- [ ] 1.2 Do it
  - **Files**: src/a.ts
  - **Done when**: It is
    there
  - **Verify**: \`check 1.2\`
- [ ] 1.3 [VERIFY] Check it
`;
const never = new AbortController().signal;
const limits = noLimits;

function world(
  more: Partial<Ports> = {},
  said: readonly ScriptedAnswer[] = [],
  operatorSaid: readonly ScriptedAnswer[] = [],
) {
  const store = memoryStore(plan);
  const memory = createRunMemory({ open: 2 });
  const executor = scriptedExecutor({ "1.2": said, "1.2~1": said, "1.2~2": said });
  const operator = scriptedExecutor({ "1.2": operatorSaid });
  const shell = scriptedShell({ "check 1.2": [{ exitCode: 1, stderr: "it is wrong\n" }] });
  const base = memoryPorts(store, executor, shell);
  const executors = { executor, verifier: executor, operator };
  const ports = withMemory({ ...base, executors, ...more, attempts: memory });
  return { store, memory, executor, operator, ports, effects: performing(ports) };
}

type World = ReturnType<typeof world>;

const delegating = (
  task: string,
  attempt = 1,
  more: Partial<EffectInput<"delegate">> = {},
): EffectInput<"delegate"> => ({
  ...{ key: `${task}#${attempt}/delegate`, task, root: "1.2", attempt, retries: 0, requireExecutorTick: false, limits },
  ...{ grouped: false, climb: null, escalation: noEscalation, escalates: true, remedy: null, maxEvidence: 8000 },
  ...{ adjustment: null, guidance: null, ...more },
});
const verifying = (task: string, attempt = 1): EffectInput<"verify"> => ({
  ...{ key: `${task}#${attempt}/verify`, task, trustExecutor: false, requireExecutorTick: false },
  ...{ requireCommit: false, timeoutMs: 1000, reviews: 0 },
});
const _onTask = (effect: EffectName, task: string, attempt = 1) => {
  return { key: `${task}#${attempt}/${effect}`, task, root: "1.2" };
};

async function attempt({ effects }: World, task = "1.2", number = 1) {
  await effects.delegate(delegating(task, number), never);
  return effects.verify(verifying(task, number), never);
}

const _decompose: Directive = { strategy: "decompose", parts: ["read the lines", "write the report"] };

describe("askOperator", () => {
  const asking = (round: 1 | 2 = 1, more: Partial<EffectInput<"askOperator">> = {}): EffectInput<"askOperator"> => ({
    ...{ key: `1.2#1/${round === 1 ? "askOperator" : "askAgain"}`, task: "1.2", root: "1.2", round, refusal: null },
    ...{ budget: 2, repairs: [], escalation: noEscalation, maxEvidence: 8000, limits, ...more },
  });
  const failed = async (...said: readonly ScriptedAnswer[]): Promise<World> => {
    const made = world({}, [failedReply("1.2", "boom")], said);
    await attempt(made);
    return made;
  };

  it("returns the directive, and counts it", async () => {
    const made = await failed({ text: "RETRY: use the old parser", usage: { costUsd: 2 } });
    expect(await made.effects.askOperator(asking(), never)).toEqual({
      kind: "directed",
      directive: { strategy: "retry", adjustment: "use the old parser" },
    });
    expect(made.memory.ledger.tasks["1.2"]?.repairs).toBe(1);
    expect(made.memory.ledger.costUsd).toBe(2);
    const [{ prompt } = { prompt: "" }] = made.operator.delegations;
    for (const told of ["It is there; Verify: `check 1.2`", "boom", "1.1 Before", "1.3 Check it", "Phase 1: Work"]) {
      expect(prompt).toContain(told);
    }
  });

  it("passes the task, the failure, and the neighbours in the order of the plan", async () => {
    const made = await failed({ text: "RETRY: slower" });
    await made.effects.readFailure({ key: "1.2#1/readFailure", task: "1.2", waits: 0, watch: false }, never);
    await made.effects.askOperator(asking(1, { escalation: made.memory.escalation("1.2") }), never);
    const [{ prompt, progressFile } = { prompt: "", progressFile: "" }] = made.operator.delegations;
    expect(prompt).toContain("Spec: sample\nPath: /work/specs/sample");
    expect(prompt).toContain("ERROR, actual:\n```text\nVerify failed (exit 1): it is wrong\n```");
    expect(prompt).toMatch(/\[x\] 1\.1 Before\n- \[ \] 1\.2 \(the failed task\)\n- \[ \] 1\.3 Check it\n/);
    expect(progressFile).toBe("/work/specs/sample/.progress.md");
    expect(made.memory.state.turn.attempts["1.2#1"]).toBeDefined();
    const unknown = await failed({ text: "RETRY: slower" });
    await unknown.effects.askOperator(asking(1, { escalation: { ...noEscalation, lastError: "older" } }), never);
    expect(unknown.operator.delegations[0]?.prompt).toContain("ERROR, actual:\n```text\nnothing is recorded\n```");
  });

  it("passes three neighbours on each side", async () => {
    const store = memoryStore(Array.from({ length: 9 }, (_, at) => `- [ ] 1.${at + 1} Task\n`).join(""));
    const operator = scriptedExecutor({ "1.5": ["RETRY: a"] });
    const base = memoryPorts(store, scriptedExecutor());
    const effects = performing({ ...base, executors: { ...base.executors, operator } });
    await effects.askOperator(asking(1, { key: "1.5#1/askOperator", task: "1.5", root: "1.5" }), never);
    const told = [...(operator.delegations[0]?.prompt ?? "").matchAll(/^- \[ \] (1\.\d)/gm)].map(([, id]) => id);
    expect([...new Set(told)].sort()).toEqual(["1.2", "1.3", "1.4", "1.5", "1.6", "1.7", "1.8"]);
  });

  it("records the usage of an operator that reports it", async () => {
    const records: string[] = [];
    const memory = createRunMemory({
      open: 1,
      store: {
        append: (made) => void records.push(...made.map((record) => JSON.stringify(record))),
        writeOutput: () => {},
        readOutput: async () => "",
      },
    });
    const { ports } = world({}, [], ["RETRY: a", { text: "RETRY: b", usage: { costUsd: 2 } }]);
    const effects = performing({ ...ports, attempts: memory });
    for (const key of ["1.2#1/askOperator", "1.2#2/askOperator"]) await effects.askOperator(asking(1, { key }), never);
    expect(records.filter((record) => record.includes("answered")).map((record) => record.includes('"usage"'))).toEqual(
      [...[false, true]],
    );
  });

  it("accepts a directive given before the run was stopped", async () => {
    const stop = new AbortController();
    const { effects } = await failed(() => {
      stop.abort(new Error("interrupted"));
      return "RETRY: a";
    });
    expect(await effects.askOperator(asking(), stop.signal)).toMatchObject({ kind: "directed" });
  });

  it.each([
    ["no directive, such as RETRY: what to change", "Well."],
    ["more than one directive: RETRY, PRUNE", "RETRY: a\nPRUNE: b"],
    ["part 1 is not more specific than the task", "DECOMPOSE: Do it | Do something else"],
  ])("explains why a directive cannot be followed: %s", async (reason, said) => {
    const { effects, memory } = await failed(said);
    expect(await effects.askOperator(asking(), never)).toEqual({ kind: "malformed", reason });
    expect(memory.ledger.tasks["1.2"]?.repairs).toBeUndefined();
  });

  it("tells the operator why its last directive could not be followed", async () => {
    const { effects, operator } = await failed("RETRY: a");
    await effects.askOperator(asking(2, { refusal: "no directive" }), never);
    expect(operator.delegations[0]?.prompt).toContain("no directive");
  });

  it("returns the limit of the run that allows no question", async () => {
    const { effects, operator } = await failed();
    const input = asking(1, { limits: { ...limits, maxGlobalIterations: 1 } });
    expect(await effects.askOperator(input, never)).toMatchObject({ kind: "denied", limit: "maxGlobalIterations" });
    expect(operator.delegations).toEqual([]);
  });

  it("reverts a tick and keeps a note that the operator makes in the plan", async () => {
    const made: World = await failed(() => {
      const { tasks } = made.store;
      tasks.text = tasks.text.replace("[ ] 1.2", "[x] 1.2").replace("    there", "    there\n  - Note: hm");
      return "PRUNE: done anyway";
    });
    expect(await made.effects.askOperator(asking(), never)).toMatchObject({ kind: "directed" });
    expect(made.store.tasks.text).toContain("[ ] 1.2");
    expect(made.store.tasks.text).toContain("Note: hm");
  });

  it("follows no directive of an operator that changes the plan", async () => {
    const made: World = await failed(() => {
      made.store.tasks.text = made.store.tasks.text.replace("`check 1.2`", "`true`").replace("[ ] 1.3", "[x] 1.3");
      return "RETRY: a";
    });
    const answer = await made.effects.askOperator(asking(), never);
    expect(answer).toMatchObject({ kind: "malformed" });
    expect((answer as { reason: string }).reason).toContain("Verify of task 1.2 changed");
    expect(made.store.tasks.text).toContain("[ ] 1.3");
  });

  it("waits for an operator at its rate limit before it asks again", async () => {
    const limited: Reply = { text: "", exitCode: 1, problem: { kind: "rate-limit", message: "later", until: 9000 } };
    const { effects, ports } = await failed(limited, "RETRY: a");
    expect(await effects.askOperator(asking(), never)).toEqual({
      ...{ kind: "malformed", reason: "the repair operator is unavailable (rate-limit): later" },
      until: 9000,
    });
    expect(ports.clock.now()).toBe(0);
    expect(await effects.askOperator(asking(2), never)).toMatchObject({ kind: "directed" });
    expect(ports.clock.now()).toBe(9000);
  });

  it("ignores the answer of an operator that was interrupted", async () => {
    const stop = new AbortController();
    const { effects, memory } = await failed(() => {
      stop.abort(new Error("interrupted"));
      return "Well, I";
    });
    await expect(effects.askOperator(asking(), stop.signal)).rejects.toThrow("interrupted");
    expect(memory.ledger.tokens).toBe(0);
  });
});

describe("an executor as repair operator", () => {
  it("is asked if there is no operator", async () => {
    const made = world({}, [failedReply("1.2", "boom"), "PRUNE: gone"]);
    const execute: Executor = made.executor;
    const effects = performing({ ...made.ports, executors: { executor: execute, verifier: execute } });
    await attempt(made);
    const input = {
      key: "1.2#1/askOperator",
      task: "1.2",
      root: "1.2",
      round: 1,
      refusal: null,
      budget: 1,
      repairs: [],
    };
    const more = { escalation: noEscalation, maxEvidence: 8000, limits };
    expect(await effects.askOperator({ ...input, ...more }, never)).toMatchObject({ kind: "directed" });
    expect(made.executor.delegations.at(-1)?.role).toBe("operator");
  });
});
