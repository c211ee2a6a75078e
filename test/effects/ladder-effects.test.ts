import { describe, expect, it } from "vitest";
import { createEffects } from "../../src/effects/create-effects.ts";
import { createRunMemory, type RunMemory } from "../../src/effects/run-memory.ts";
import { withMemory } from "../../src/effects/with-memory.ts";
import type { Directive } from "../../src/model/directive.ts";
import type { EffectInput, EffectName } from "../../src/model/effect.ts";
import { type Escalation, noEscalation } from "../../src/model/escalation.ts";
import type { GitEvidence } from "../../src/model/git-evidence.ts";
import { noLimits } from "../../src/model/limits.ts";
import type { Reply } from "../../src/model/reply.ts";
import type { Executor } from "../../src/ports/executor.ts";
import type { PersonAnswer } from "../../src/ports/person.ts";
import type { Ports } from "../../src/ports/ports.ts";
import { memoryStore } from "../../src/testing/memory-store.ts";
import { failedReply, type ScriptedAnswer, scriptedExecutor } from "../../src/testing/scripted-executor.ts";
import { scriptedShell } from "../../src/testing/scripted-shell.ts";
import { recordAnswer } from "../support/answered.ts";
import { memoryPorts } from "../support/memory-run.ts";

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

/** Effects over a plan in memory, and what they stand on. */
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
  return { store, memory, executor, operator, ports, effects: createEffects(ports) };
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
const onTask = (effect: EffectName, task: string, attempt = 1) => {
  return { key: `${task}#${attempt}/${effect}`, task, root: "1.2" };
};

/** An attempt is made and judged. */
async function attempt({ effects }: World, task = "1.2", number = 1) {
  await effects.delegate(delegating(task, number), never);
  return effects.verify(verifying(task, number), never);
}

const decompose: Directive = { strategy: "decompose", parts: ["read the lines", "write the report"] };

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

  it("answers the directive, and counts it", async () => {
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

  it("is told what the task is, what failed, and its neighbours in the order of the plan", async () => {
    const made = await failed({ text: "RETRY: slower" });
    await made.effects.readFailure({ key: "1.2#1/readFailure", task: "1.2", waits: 0, watch: false }, never);
    await made.effects.askOperator(asking(1, { escalation: made.memory.escalation("1.2") }), never);
    const [{ prompt, progressFile } = { prompt: "", progressFile: "" }] = made.operator.delegations;
    expect(prompt).toContain("Spec: sample\nPath: /work/specs/sample");
    expect(prompt).toContain("ERROR, actual:\n```text\nboom\n```");
    expect(prompt).toMatch(/\[x\] 1\.1 Before\n- \[ \] 1\.2 \(the failed task\)\n- \[ \] 1\.3 Check it\n/);
    expect(progressFile).toBe("/work/specs/sample/.progress.md");
    expect(made.memory.state.turn.attempts["1.2#1"]).toBeDefined();
    const unknown = await failed({ text: "RETRY: slower" });
    await unknown.effects.askOperator(asking(1, { escalation: { ...noEscalation, lastError: "older" } }), never);
    expect(unknown.operator.delegations[0]?.prompt).toContain("ERROR, actual:\n```text\nnothing is recorded\n```");
  });

  it("is told three neighbours on each side", async () => {
    const store = memoryStore(Array.from({ length: 9 }, (_, at) => `- [ ] 1.${at + 1} Task\n`).join(""));
    const operator = scriptedExecutor({ "1.5": ["RETRY: a"] });
    const base = memoryPorts(store, scriptedExecutor());
    const effects = createEffects({ ...base, executors: { ...base.executors, operator } });
    await effects.askOperator(asking(1, { key: "1.5#1/askOperator", task: "1.5", root: "1.5" }), never);
    const told = [...(operator.delegations[0]?.prompt ?? "").matchAll(/^- \[ \] (1\.\d)/gm)].map(([, id]) => id);
    expect([...new Set(told)].sort()).toEqual(["1.2", "1.3", "1.4", "1.5", "1.6", "1.7", "1.8"]);
  });

  it("records what an operator has used where it says so", async () => {
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
    const effects = createEffects({ ...ports, attempts: memory });
    for (const key of ["1.2#1/askOperator", "1.2#2/askOperator"]) await effects.askOperator(asking(1, { key }), never);
    expect(records.filter((record) => record.includes("answered")).map((record) => record.includes('"usage"'))).toEqual(
      [...[false, true]],
    );
  });

  it("is believed where it had given a directive when the run was stopped", async () => {
    const stop = new AbortController();
    const { effects } = await failed(() => {
      stop.abort(new Error("interrupted"));
      return "RETRY: a";
    });
    expect(await effects.askOperator(asking(), stop.signal)).toMatchObject({ kind: "directed" });
  });

  it.each([
    ["no directive", "Well."],
    ["more than one directive: RETRY, PRUNE", "RETRY: a\nPRUNE: b"],
    ["part 1 is not more specific than the task", "DECOMPOSE: Do it | Do something else"],
  ])("tells why an answer cannot be followed: %s", async (reason, said) => {
    const { effects, memory } = await failed(said);
    expect(await effects.askOperator(asking(), never)).toEqual({ kind: "malformed", reason });
    expect(memory.ledger.tasks["1.2"]?.repairs).toBeUndefined();
  });

  it("tells the operator why its answer before could not be followed", async () => {
    const { effects, operator } = await failed("RETRY: a");
    await effects.askOperator(asking(2, { refusal: "no directive" }), never);
    expect(operator.delegations[0]?.prompt).toContain("no directive");
  });

  it("answers the limit of the run that allows no question", async () => {
    const { effects, operator } = await failed();
    const input = asking(1, { limits: { ...limits, maxGlobalIterations: 1 } });
    expect(await effects.askOperator(input, never)).toMatchObject({ kind: "denied", limit: "maxGlobalIterations" });
    expect(operator.delegations).toEqual([]);
  });

  it("takes back a tick and keeps a note that the operator leaves in the plan", async () => {
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

  it("waits for an operator that has reached its limit before it is asked again", async () => {
    const limited: Reply = { text: "", exitCode: 1, problem: { kind: "rate-limit", message: "later", until: 9000 } };
    const { effects, ports } = await failed(limited, "RETRY: a");
    expect(await effects.askOperator(asking(), never)).toEqual({
      ...{ kind: "malformed", reason: "the repair operator cannot work (rate-limit): later" },
      until: 9000,
    });
    expect(ports.clock.now()).toBe(0);
    expect(await effects.askOperator(asking(2), never)).toMatchObject({ kind: "directed" });
    expect(ports.clock.now()).toBe(9000);
  });

  it("takes no answer of an operator that was stopped in the middle for one", async () => {
    const stop = new AbortController();
    const { effects, memory } = await failed(() => {
      stop.abort(new Error("interrupted"));
      return "Well, I";
    });
    await expect(effects.askOperator(asking(), stop.signal)).rejects.toThrow("interrupted");
    expect(memory.ledger.tokens).toBe(0);
  });
});

describe("usage of an operator", () => {
  it("is counted once, also after a restart", async () => {
    const records: Parameters<RunMemory["apply"]>[0][] = [];
    const store = { append: (made: typeof records) => void records.push(...made) };
    const memory = createRunMemory({
      open: 1,
      store: { ...store, writeOutput: () => {}, readOutput: async () => "" },
    });
    const malformed = { kind: "malformed", reason: "no directive" };
    recordAnswer(memory, "1.2#1/askOperator", malformed, { usage: { costUsd: 2, inputTokens: 3 } });
    recordAnswer(memory, "1.2#1/askAgain", malformed);
    const again = createRunMemory({ open: 1 });
    for (const record of records) again.apply(record);
    for (const { ledger } of [memory, again]) expect(ledger).toMatchObject({ costUsd: 2, tokens: 3 });
  });
});

const gathering = (parts: string[]) => {
  return { key: "1.2#2/gatherParts", task: "1.2", parts, leftOut: 0, trustExecutor: false };
};

describe("parts of a task", () => {
  it("are tasks of their own, with the files of the whole and no Verify", async () => {
    const made = world({ fileState: async (declared) => declared.join() }, ["TASK_COMPLETE"]);
    await attempt(made);
    recordAnswer(made.memory, "1.2#1/askOperator", { kind: "directed", directive: decompose });
    expect(await attempt(made, "1.2~1")).toEqual({ kind: "accepted", unverified: true });
    const { prompt = "", taskId } = made.executor.delegations.at(-1) ?? {};
    expect(taskId).toBe("1.2~1");
    expect(prompt).toContain("read the lines");
    expect((await made.memory.recall("1.2~1#1")).fileState).toBe("src/a.ts");
    await made.effects.recordPass(
      {
        ...{
          key: "1.2~1#1/recordPass",
          task: "1.2~1",
          fixes: [],
          grouped: false,
          keepOpen: false,
          commit: false,
          leftOut: 0,
          unverified: false,
        },
        repair: { task: "1.2~1", directive: { strategy: "retry", adjustment: "mind the ends" } },
      },
      never,
    );
    expect(made.store.summary.text).toContain("[Node Repair - RETRY] Task 1.2~1: mind the ends - resolved");
    expect(made.store.tasks.text).toContain("[ ] 1.2 ");
    expect(made.memory.state.accepted).toEqual({});
  });

  it("ask for no change of the plan", async () => {
    const asks = 'TASK_MODIFICATION_REQUEST\n```json\n{"type":"SPLIT_TASK"}\n```\nTASK_COMPLETE';
    const made = world({}, [asks]);
    recordAnswer(made.memory, "1.2#1/askOperator", { kind: "directed", directive: decompose });
    expect(await made.effects.delegate(delegating("1.2~1"), never)).toEqual({ kind: "replied" });
    expect(await made.effects.delegate(delegating("1.3"), never)).toEqual({ kind: "replied" });
  });

  it("are done by who does the whole, and are known by the title of that when nobody knows them", async () => {
    const made = world();
    await made.effects.delegate({ ...delegating("1.3~1"), root: "1.3" }, never);
    expect(made.executor.delegations[0]).toMatchObject({ role: "verifier", taskId: "1.3~1" });
    expect(made.executor.delegations[0]?.prompt).toContain("Check it");
    expect(made.memory.part("1.3~1")).toBe(null);
    expect(made.memory.part("1.3")).toBe(null);
  });

  it("are put together as an attempt on the whole that began with the first", async () => {
    const states = ["before", "within"];
    const made = world({ fileState: async () => states.shift() ?? "after" }, ["One.\nTASK_COMPLETE"]);
    recordAnswer(made.memory, "1.2#1/askOperator", { kind: "directed", directive: decompose });
    await made.effects.delegate(delegating("1.2~1"), never);
    await made.effects.delegate(delegating("1.2~2"), never);
    const parts = ["1.2~1#1", "1.2~2#1"];
    expect(await made.effects.gatherParts(gathering(parts), never)).toEqual({
      kind: "gathered",
    });
    expect(await made.memory.recall("1.2#2")).toMatchObject({
      reply: { text: "One.\nTASK_COMPLETE\n\nOne.\nTASK_COMPLETE" },
      fileState: "before",
    });
    expect(made.memory.ledger.tasks["1.2"]).toMatchObject({ attempts: 1, waits: 1 });
  });

  it.each([
    ["and its Verify says whether the whole is done", {}, "One.\nTASK_COMPLETE"],
    ["where no Verify is run for the whole", { trustExecutor: true }, ""],
  ] as const)("claim only what can be checked when one was left out, %s", async (_, more, text) => {
    const made = world({}, ["One.\nTASK_COMPLETE"]);
    recordAnswer(made.memory, "1.2#1/askOperator", { kind: "directed", directive: decompose });
    await made.effects.delegate(delegating("1.2~1"), never);
    await made.effects.gatherParts({ ...gathering(["1.2~1#1"]), leftOut: 1, ...more }, never);
    expect(await made.memory.recall("1.2#2")).toMatchObject({ reply: { text } });
  });

  it("claim nothing when none is left", async () => {
    const { effects, memory } = world();
    await effects.gatherParts(gathering([]), never);
    expect(await memory.recall("1.2#2")).toMatchObject({ reply: { text: "" }, mark: null, fileState: null });
    expect(await effects.verify(verifying("1.2", 2), never)).toMatchObject({ kind: "failed", layer: "signal" });
  });
});

describe("recordSkip", () => {
  it("leaves out a planned task, whose box stays open", async () => {
    const { effects, memory, store } = world();
    const skipped = { root: "1.2", justification: "gone" };
    expect(
      await effects.recordSkip({ ...onTask("recordSkip", "1.2"), justification: "gone", by: "operator" }, never),
    ).toEqual({
      kind: "skipped",
      skipped,
    });
    expect([...memory.skipped()]).toEqual([["1.2", "gone"]]);
    expect(store.summary.text.match(/Task 1\.2 skipped: gone/g)).toHaveLength(2);
    expect(store.tasks.text).toContain("[ ] 1.2");
  });

  it("leaves out a part, and no planned task", async () => {
    const { effects, memory, store } = world();
    expect(
      await effects.recordSkip({ ...onTask("recordSkip", "1.2~1"), justification: "gone", by: "person" }, never),
    ).toEqual({
      kind: "skipped",
    });
    expect(memory.skipped().size).toBe(0);
    expect(store.summary.text).toContain("[Decision - SKIP] Task 1.2~1 skipped: gone");
  });
});

describe("writeStuckReport", () => {
  const escalation = { ...noEscalation, level: "research", failures: 4, lastError: "what it was", pivots: 2 } as const;
  const writing = (attempt = 1) => ({
    ...{
      ...onTask("writeStuckReport", "1.2", attempt),
      escalation,
      stuck: null,
      repairs: [],
      fixes: ["1.2.1"],
      path: null,
    },
  });
  const told = async (made: World, attempt = 1): Promise<string> => {
    expect(await made.effects.writeStuckReport(writing(attempt), never)).toEqual({
      kind: "written",
      path: "stuck-report.md",
    });
    expect(made.memory.escalation("1.2").level).toBe("checkpoint");
    return made.store.reports.get("stuck-report.md") ?? "";
  };

  it("tells what is known without an attempt", async () => {
    const report = await told(world());
    expect(report).toContain("what it was");
    expect(report).toContain("1.2");
  });

  it("tells what the executor said", async () => {
    const made = world({}, [failedReply("1.2", "boom")]);
    await attempt(made);
    const report = await told(made);
    for (const text of ["boom", "Blocked, needs manual intervention"]) expect(report).toContain(text);
  });

  it("tells what Verify said, and what was changed but for the spec's own files", async () => {
    const changed = ["src/a.ts", "specs/sample/tasks.md"];
    const since: GitEvidence = { changed, commits: [], uncommitted: [], rewritten: false } as unknown as GitEvidence;
    const git: Ports["git"] = {
      ...{ head: async () => "abc", mark: async () => ({ head: "abc" }) as never, since: async () => since },
      commit: async () => null,
    };
    const made = world({ git });
    await attempt(made);
    const report = await told(made);
    for (const text of ["check 1.2", "it is wrong", "src/a.ts"]) expect(report).toContain(text);
    expect(report).not.toContain("- specs/sample/tasks.md");
  });

  it("tells of a claim that was turned down what was said before, and no failure", async () => {
    const made = world({}, ["It needs human eyes\nTASK_COMPLETE"]);
    expect(await attempt(made)).toMatchObject({ kind: "rejected" });
    const report = await told(made);
    for (const text of ["what it was", "It needs human eyes"]) expect(report).toContain(text);
  });

  it("tells of an attempt that was not judged", async () => {
    const made = world();
    await made.effects.delegate(delegating("1.2"), never);
    expect(await told(made)).toContain("what it was");
  });

  it("tells what a reviewer found", async () => {
    const made = world({}, ["TASK_COMPLETE"]);
    await made.effects.delegate(delegating("1.2"), never);
    const review = { verdict: "fail", code: "it leaks", spec: "", round: 1 } as const;
    recordAnswer(made.memory, "1.2#1/review", { kind: "failed", findings: "it leaks" }, { review });
    expect(await told(made)).toContain("it leaks");
  });
});

describe("askPerson", () => {
  const failure = { kind: "task", error: "boom", attemptedFix: "", status: "", fingerprint: "f" };
  const input = (
    about: EffectInput<"askPerson">["about"],
    more: Partial<EffectInput<"askPerson">> = {},
  ): EffectInput<"askPerson"> => ({
    ...{
      ...onTask("askPerson", "1.2"),
      about,
      escalation: { ...noEscalation, lastError: "boom" },
      repairs: [],
      report: null,
    },
    question: null,
    ...more,
  });
  const answering = (answer: PersonAnswer | null) => {
    const asked: string[] = [];
    const person: Ports["person"] = async ({ text }) => {
      asked.push(text);
      return answer;
    };
    return { asked, person };
  };

  it.each([
    [
      "repair",
      "go on: fixpoint run sample\nHave it tried again: fixpoint resume sample --decision retry\n",
      "Task 1.2 failed its verification",
    ],
    ["checkpoint", "go on: fixpoint run sample", "CHECKPOINT - STUCK"],
  ] as const)("stops with the question where nobody is there: %s", async (about, hint, text) => {
    for (const more of [{}, { person: answering(null).person }]) {
      const answer = await world(more).effects.askPerson(input(about, { report: "stuck-report.md" }), never);
      expect(answer).toMatchObject({ kind: "gate", hint: expect.stringContaining(hint) });
      expect((answer as { reason: string }).reason).toContain(text);
    }
  });

  it("is about the planned task at a checkpoint, and else about the one that is up", async () => {
    for (const [about, current] of [
      ["checkpoint", "1.2"],
      ["repair", "1.2~1"],
    ] as const) {
      const asked: object[] = [];
      const person: Ports["person"] = async (question) => {
        asked.push(question);
        return null;
      };
      const answer = await world({ person }).effects.askPerson(input(about, { task: "1.2~1" }), never);
      expect(asked).toMatchObject([{ task: "1.2", current, about }]);
      const { hint } = answer as { readonly hint: string };
      expect(hint.split("\n")).toHaveLength(about === "checkpoint" ? 1 : 5);
    }
  });

  it("tells what is left of a prompt that is too long", async () => {
    const text = async (question: string | null) =>
      world().effects.askPerson(input("environment", { question, tooLong: true }), never);
    expect(await text("no")).toMatchObject({ reason: "Nothing is left to leave out for task 1.2: no" });
    expect(await text(null)).toMatchObject({ reason: "Nothing is left to leave out for task 1.2: not known" });
  });

  it("lets the task begin anew when it is advised, or tried again", async () => {
    for (const answer of [
      { kind: "guided", text: "There" },
      { kind: "decided", decision: "retry" },
    ] as const) {
      const { person, asked } = answering(answer);
      const { effects, memory } = world({ person });
      recordAnswer(memory, "1.2#1/readFailure", failure);
      recordAnswer(memory, "1.2#1/askOperator", { kind: "directed", directive: decompose });
      expect(await effects.askPerson(input("checkpoint"), never)).toEqual(answer);
      expect(memory.escalation("1.2")).toEqual(noEscalation);
      expect(memory.ledger.tasks["1.2"]).toMatchObject({ repairs: 0 });
      expect(memory.part("1.2~1")).toBe(null);
      expect(memory.guidance("1.2")).toBe(answer.kind === "guided" ? "There" : null);
      expect(asked).toHaveLength(1);
    }
  });

  it("changes nothing for a task that is left out, or the end of the run", async () => {
    for (const decision of ["skip", "stop"] as const) {
      const { effects, memory } = world({ person: answering({ kind: "decided", decision }).person });
      recordAnswer(memory, "1.2#1/verify", { kind: "rejected", layer: "contradiction", reason: "it is not" });
      expect(await effects.askPerson(input("repair"), never)).toEqual({ kind: "decided", decision });
      expect(memory.escalation("1.2").failures).toBe(1);
    }
  });

  it("counts in the summary the retries that did not help: of the task that is up, and of all above it", async () => {
    const retry = (task: string) => ({ task, directive: { strategy: "retry", adjustment: "a" } }) as const;
    const { effects, store } = world();
    await effects.askPerson(input("repair"), never);
    expect(store.summary.text).toBe("");
    const tasks = ["1.2", "1.2.1", "1.2~1", "1.2~2", "1.2~2~1"];
    const repairs = [...tasks.map(retry), { task: "1.2", directive: decompose }];
    await effects.askPerson(input("repair", { task: "1.2~2", repairs }), never);
    const told = tasks.filter((id) =>
      store.summary.text.includes(`Task ${id}: 1 attempts exhausted - escalated to user`),
    );
    expect(told).toEqual(["1.2", "1.2~2"]);
    await effects.askPerson(input("repair", { repairs: [retry("1.2"), retry("1.2.1")] }), never);
    expect(store.summary.text).not.toContain("Task 1.2.1: ");
  });

  it("tells the level that followed on retries that did not help", async () => {
    const repairs = [{ task: "1.2", directive: { strategy: "retry", adjustment: "a" } }] as const;
    const told = async (more: Partial<Escalation>): Promise<string> => {
      const { effects, store } = world();
      await effects.askPerson(
        input("repair", { repairs: [...repairs], escalation: { ...noEscalation, ...more } }),
        never,
      );
      return store.summary.text.split("exhausted - ")[1] ?? "";
    };
    expect(await told({ level: "checkpoint", pivots: 1, researches: 1 })).toBe("PIVOT followed\n");
    expect(await told({ level: "checkpoint", researches: 1 })).toBe("RESEARCH followed\n");
    expect(await told({ level: "checkpoint" })).toBe("escalated to user\n");
    expect(await told({ level: "normal", pivots: 1 })).toBe("escalated to user\n");
  });

  it("tells that nothing is recorded", async () => {
    const answer = await world().effects.askPerson(input("repair", { escalation: noEscalation }), never);
    expect(answer).toMatchObject({ reason: expect.stringContaining("Actual: nothing is recorded") });
  });

  it("takes no answer when the run was stopped meanwhile, and stands still while a person thinks", async () => {
    let now = 0;
    const stop = new AbortController();
    const memory = createRunMemory({ elapsedMs: () => now });
    const person: Ports["person"] = async () => {
      now += 1000;
      stop.abort(new Error("interrupted"));
      return { kind: "decided", decision: "retry" };
    };
    const { ports } = world({ person });
    const effects = createEffects({ ...ports, attempts: memory });
    recordAnswer(memory, "1.2#1/verify", { kind: "rejected", layer: "contradiction", reason: "it is not" });
    await expect(effects.askPerson(input("repair"), stop.signal)).rejects.toThrow("interrupted");
    expect(memory.ledger.elapsedMs).toBe(0);
    expect(memory.escalation("1.2").failures).toBe(1);
  });
});

describe("readFailure", () => {
  const reading = (watch: boolean) => ({ key: "1.2#1/readFailure", task: "1.2", waits: 0, watch });

  it("tells what the executor has tried, and looks at no files where nobody asks for them", async () => {
    let looks = 0;
    const fileState = async () => `${looks++}`;
    const made = world({ fileState }, [`${failedReply("1.2", "boom")}\nTrying: a way`]);
    await made.effects.delegate(delegating("1.2", 1, { escalates: false }), never);
    await made.effects.verify(verifying("1.2"), never);
    expect((await made.effects.readFailure(reading(false), never)).signs).toEqual({
      ...{ strategy: "a way", findings: [], admission: null, fileState: null, changed: null },
    });
    expect(looks).toBe(0);
    const approach = { level: "normal", task: "1.2", strategy: "a way", error: "boom" };
    expect(made.memory.escalation("1.2")).toMatchObject({ failures: 1, approaches: [approach], fileStates: [] });
  });

  it.each([
    [["a", "b"], "b", true],
    [["a", "a"], "a", false],
    [[null, "b"], "b", null],
    [["a", null], null, null],
  ] as const)("compares the files before and after: %o", async (states, fileState, changed) => {
    const left = [...states];
    const made = world({ fileState: async () => left.shift() ?? null }, [
      `${failedReply("1.2", "boom")}\nFound: a fact`,
    ]);
    await attempt(made);
    const { signs } = await made.effects.readFailure(reading(true), never);
    expect(signs).toMatchObject({ fileState, changed, strategy: "Checked alternate paths", findings: ["a fact"] });
  });

  it("takes what the executor names before its attempted fix, and nothing when it says neither", async () => {
    const named = world({}, [`${failedReply("1.2", "boom")}\nTrying: a way`]);
    await attempt(named);
    expect((await named.effects.readFailure(reading(true), never)).signs?.strategy).toBe("a way");
    const silent = world({}, ["I don't know how to go on."]);
    await attempt(silent);
    expect((await silent.effects.readFailure(reading(true), never)).signs).toMatchObject({
      ...{ strategy: null, admission: "i don't know how to", fileState: null, changed: null },
    });
  });
});

describe("an executor as repair operator", () => {
  it("is asked where no other is given", async () => {
    const made = world({}, [failedReply("1.2", "boom"), "PRUNE: gone"]);
    const execute: Executor = made.executor;
    const effects = createEffects({ ...made.ports, executors: { executor: execute, verifier: execute } });
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
