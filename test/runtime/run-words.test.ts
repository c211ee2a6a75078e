import { describe, expect, it } from "vitest";
import { createRunMemory } from "../../src/effects/run-memory.ts";
import type { RunEnded } from "../../src/model/event.ts";
import type { PersonEvent } from "../../src/model/person-event.ts";
import type { Executor } from "../../src/ports/executor.ts";
import type { Clock, PersonAnswer, Ports } from "../../src/ports/ports.ts";
import { createRunControl } from "../../src/runtime/run-control.ts";
import { failedReply, scriptedExecutor, stillClock } from "../../src/testing/scripted-ports.ts";
import { continueRun, delegatedIn, type MemoryRun, newRun } from "../support/memory-run.ts";

const plan = "- [ ] 1.1 First\n- [ ] 1.2 Second\n";
const batched = "- [ ] 1.1 [P] First\n- [ ] 1.2 [P] Second\n";
const repair = { recovery: ["repair" as const], repairBudget: 0 };
const guidance = (text: string): PersonEvent => ({ type: "guidance.given", text });

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function working() {
  const begun: string[] = [];
  const ended: string[] = [];
  const answers = new Map<string, (text: string) => void>();
  const execute: Executor = ({ taskId }, signal) =>
    new Promise((resolve) => {
      begun.push(taskId);
      const answer = (text: string): void => {
        ended.push(taskId);
        resolve(text);
      };
      answers.set(taskId, answer);
      signal.addEventListener("abort", () => void settle().then(() => answer("stopped")));
    });
  return { execute, begun, ended, answer: (task: string, text = "TASK_COMPLETE") => answers.get(task)?.(text) };
}

const saidIn = ({ records }: MemoryRun): PersonEvent[] =>
  records.flatMap((record) => (record.type === "said" ? [record.event] : []));
const typesIn = ({ events }: MemoryRun): string[] => events.map(({ type }) => type);

describe("a paused run", () => {
  it("completes what is in progress, and begins nothing until it is resumed", async () => {
    const made = newRun(plan);
    const heard = createRunControl();
    const { execute, begun, answer } = working();
    const run = continueRun(made, execute, { heard });
    await settle();
    heard.send({ type: "pause" });
    await settle();
    answer("1.1");
    await settle();
    expect(typesIn(made)).toEqual(["run.paused", "task.passed"]);
    expect(begun).toEqual(["1.1"]);
    heard.send({ type: "resume" });
    await settle();
    expect(begun).toEqual(["1.1", "1.2"]);
    answer("1.2");
    expect(await run).toMatchObject({ outcome: "complete" });
    expect(saidIn(made)).toEqual([{ type: "pause" }, { type: "resume" }]);
  });

  it("spends no working time until it is resumed", async () => {
    let now = 0;
    const heard = createRunControl();
    const clock: Clock = { ...stillClock(), now: () => now };
    const run = continueRun(newRun(plan), scriptedExecutor(), { heard, ports: { clock } });
    heard.send({ type: "pause" });
    await settle();
    now = 3_600_000;
    heard.send({ type: "resume" });
    expect(await run).toMatchObject({ outcome: "complete", durationMs: 0 });
  });

  it("receives the pause before it begins", async () => {
    const made = newRun(batched);
    const heard = createRunControl();
    heard.send({ type: "pause" });
    const stop = new AbortController();
    const executor = scriptedExecutor();
    const run = continueRun(made, executor, { heard, signal: stop.signal });
    await settle();
    expect(executor.delegations).toEqual([]);
    stop.abort(new Error("interrupted"));
    expect(await run).toMatchObject({ outcome: "interrupted", exitCode: 130 });
    expect(await continueRun(made, executor)).toMatchObject({ outcome: "complete" });
  });

  it("is resumed by the next start, whoever begins it", async () => {
    const made = newRun(plan);
    const heard = createRunControl();
    const stop = new AbortController();
    const failing = (): string => {
      heard.send({ type: "pause" });
      return failedReply("1.1", "a");
    };
    const executor = scriptedExecutor({ "1.1": [failing] });
    const run = continueRun(made, executor, { heard, signal: stop.signal });
    await settle();
    stop.abort(new Error("interrupted"));
    expect(await run).toMatchObject({ outcome: "interrupted" });
    expect(delegatedIn(made)).toEqual(["1.1"]);
    expect(await continueRun(made, executor)).toMatchObject({ outcome: "complete" });
    expect(typesIn(made).filter((type) => type.startsWith("run."))).toEqual(["run.paused", "run.resumed"]);
  });

  it("can be advised and cancelled", async () => {
    const made = newRun(plan);
    const heard = createRunControl();
    for (const word of [{ type: "pause" } as const, guidance("There")]) heard.send(word);
    const executor = scriptedExecutor();
    const run = continueRun(made, executor, { heard });
    await settle();
    heard.send(guidance("Here"));
    await settle();
    expect(made.records.filter(({ type }) => type === "guided")).toMatchObject([{ text: "There" }, { text: "Here" }]);
    heard.send({ type: "cancel" });
    expect(await run).toMatchObject({ outcome: "cancelled", exitCode: 3 });
    expect(executor.delegations).toEqual([]);
  });
});

describe("advice", () => {
  const prompted = (texts: readonly string[]) => texts.map((text) => text.includes("Use the other library"));

  it.each([plan, batched])("given before the start reaches the first prompt of the next executor", async (tasks) => {
    const made = newRun(tasks);
    const heard = createRunControl();
    heard.send(guidance("Never mind"));
    heard.send(guidance("Use the other library"));
    const executor = scriptedExecutor({ "1.1": [failedReply("1.1", "a")] });
    await continueRun(made, executor, { heard });
    const first = executor.delegations.filter(({ taskId }) => taskId === "1.1").map(({ prompt }) => prompt);
    expect(prompted(first)).toEqual([true, true]);
    const advised = made.records.flatMap((record) => (record.type === "guided" ? [record.task] : []));
    expect(advised).toEqual(tasks === plan ? ["1.1"] : ["1.1", "1.2"]);
  });

  it("given before the start survives a kill before any delegation", async () => {
    const made = newRun(plan);
    const heard = createRunControl();
    heard.send(guidance("Use the other library"));
    expect(await continueRun(made, scriptedExecutor(), { heard, killedAt: 2 })).toBeNull();
    const executor = scriptedExecutor();
    await continueRun(made, executor);
    expect(prompted(executor.delegations.map(({ prompt }) => prompt))).toEqual([true, false]);
  });

  it("reaches no prompt if nothing is left to do", async () => {
    const made = newRun("- [x] 1.1 First\n");
    const heard = createRunControl();
    heard.send(guidance("Use the other library"));
    expect(await continueRun(made, scriptedExecutor(), { heard })).toMatchObject({ outcome: "complete" });
    expect(made.records.filter(({ type }) => type === "guided")).toEqual([]);
  });

  it("during the run reaches the next prompt and later ones, wherever it is killed afterwards", async () => {
    for (let killedAt = 6; killedAt < 15; killedAt++) {
      const made = newRun(plan);
      const heard = createRunControl();
      const prompts = new Map<string, string>();
      const execute: Executor = async ({ key, taskId, attempt, prompt }) => {
        prompts.set(key, prompt);
        if (attempt === 1 && taskId === "1.1") heard.send(guidance("Use the other library"));
        return taskId === "1.1" && attempt < 4 ? failedReply("1.1", `e${attempt}`) : "TASK_COMPLETE";
      };
      const ended = (await continueRun(made, execute, { heard, killedAt })) ?? (await continueRun(made, execute));
      expect(ended).toMatchObject({ outcome: "complete" });
      expect(prompted([...prompts.values()])).toEqual([false, true, true, true, false]);
    }
  });

  it.each([
    ["gate", repair],
    ["checkpoint", { recovery: ["checkpoint" as const] }],
  ])("for members of a batch does not affect a question to a person: %s", async (outcome, policy) => {
    const made = newRun(batched);
    const heard = createRunControl();
    const { execute, answer } = working();
    const run = continueRun(made, execute, { heard, policy });
    await settle();
    answer("1.1", failedReply("1.1", "a"));
    await settle();
    heard.send(guidance("Use the other library"));
    await settle();
    answer("1.2");
    expect(await run).toMatchObject({ outcome });
    const asked: string[] = [];
    const person: Ports["person"] = async ({ task }) => {
      asked.push(task);
      return { kind: "decided", decision: "skip" };
    };
    const again = await continueRun(made, execute, { policy, asksAgain: true, ports: { person } });
    expect(again).toMatchObject({ outcome: "skipped", skipped: ["1.1"] });
    expect(asked).toEqual(["1.1"]);
  });
});

describe("a question to a person", () => {
  function asking(tasks = plan) {
    const made = newRun(tasks);
    const heard = createRunControl();
    const told: string[] = [];
    let answer = (_: PersonAnswer): void => {};
    const person: Ports["person"] = (_, signal) =>
      new Promise((resolve) => {
        answer = resolve;
        signal.addEventListener("abort", () => {
          told.push("ended");
          resolve(null);
        });
      });
    const executor = scriptedExecutor({ "1.1": [failedReply("1.1", "a")] });
    const start = (options?: Parameters<typeof continueRun>[2]): Promise<RunEnded | null> =>
      continueRun(made, executor, { policy: repair, heard, ports: { person }, ...options });
    return { made, heard, told, start, answer: (given: PersonAnswer) => answer(given), executor };
  }

  it.each([
    [{ type: "decision.made", decision: "retry" } as const, "complete"],
    [{ type: "decision.made", decision: "skip" } as const, "skipped"],
    [{ type: "decision.made", decision: "stop" } as const, "cancelled"],
    [guidance("Look there"), "complete"],
  ])("is answered by a message, without the prompt: %o", async (word, outcome) => {
    const { made, heard, told, start } = asking();
    const run = start();
    await settle();
    heard.send(word);
    expect(await run).toMatchObject({ outcome });
    expect(told).toEqual(["ended"]);
    expect(made.records.filter((record) => record.type === "answered" && /askPerson$/.test(record.key))).toHaveLength(
      1,
    );
    expect(saidIn(made)).toEqual([]);
  });

  it("is not answered by other messages", async () => {
    const { heard, start, answer, made } = asking();
    const run = start();
    await settle();
    heard.send({ type: "pause" });
    await settle();
    answer({ kind: "decided", decision: "retry" });
    await settle();
    expect(delegatedIn(made)).toEqual(["1.1"]);
    heard.send({ type: "resume" });
    expect(await run).toMatchObject({ outcome: "complete" });
  });

  it("has one answer if a message and the prompt answer at the same moment, also in the RunState", async () => {
    for (let ticks = 0; ticks < 12; ticks++) {
      const { made, heard, start, answer } = asking();
      const folded = createRunMemory({ open: 1 });
      const seen: object[] = [];
      const run = start({
        onRecords: (records, memory) => {
          if (records.some((record) => record.type === "answered" && record.effect === "recordSkip")) {
            seen.push([memory.spent("1.1"), memory.escalation("1.1")]);
            for (const each of made.records) folded.apply(each);
          }
        },
      });
      await settle();
      answer({ kind: "decided", decision: "retry" });
      for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
      heard.send({ type: "decision.made", decision: "skip" });
      const ended = await run;
      if (ended?.outcome === "skipped") expect(seen).toEqual([[folded.spent("1.1"), folded.escalation("1.1")]]);
      else expect(ended?.outcome).toBe("complete");
    }
  });

  it("is ended with the run", async () => {
    const { told, heard, start } = asking(batched);
    const run = start();
    await settle();
    heard.send({ type: "cancel" });
    expect(await run).toMatchObject({ outcome: "cancelled" });
    expect(told).toEqual(["ended"]);
  });
});

describe("a cancelled run", () => {
  it.each([plan, batched])("aborts its executors and waits until they have ended", async (tasks) => {
    const made = newRun(tasks);
    const heard = createRunControl();
    const { execute, begun, ended } = working();
    const run = continueRun(made, execute, { heard });
    await settle();
    for (const type of ["cancel", "resume", "cancel"] as const) heard.send({ type });
    expect(await run).toMatchObject({ outcome: "cancelled" });
    expect(ended).toEqual(begun);
    expect(saidIn(made)).toEqual([{ type: "cancel" }]);
    expect(typesIn(made)).not.toContain("run.resumed");
    heard.send({ type: "pause" });
    await settle();
    expect(made.records.at(-1)).toMatchObject({ type: "said", event: { type: "cancel" } });
  });

  it("is cancelled again if it was killed before its end was recorded", async () => {
    const made = newRun(plan);
    const heard = createRunControl();
    const cancelling = (): string => {
      heard.send({ type: "cancel" });
      return "TASK_COMPLETE";
    };
    const executor = scriptedExecutor({ "1.1": [cancelling] });
    await continueRun(made, executor, { heard });
    expect(await continueRun(made, executor)).toMatchObject({ outcome: "cancelled" });
    expect(executor.delegations).toHaveLength(1);
  });

  it("ends a wait", async () => {
    const heard = createRunControl();
    const clock: Clock = {
      now: () => 0,
      sleepUntil: (_, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    };
    const execute: Executor = async () => ({
      text: "",
      exitCode: 1,
      problem: { kind: "rate-limit", message: "later" },
    });
    const run = continueRun(newRun(plan), execute, { heard, ports: { clock } });
    await settle();
    heard.send({ type: "cancel" });
    expect(await run).toMatchObject({ outcome: "cancelled" });
  });

  it("records a pass in progress, and replays it as a pass", async () => {
    const made = newRun(plan);
    const heard = createRunControl();
    const documents = {
      ...made.store,
      tick: async (task: string, done: boolean) => {
        heard.send({ type: "cancel" });
        await settle();
        return made.store.tick(task, done);
      },
    };
    const ended = await continueRun(made, scriptedExecutor(), { heard, ports: { documents } });
    expect(ended).toMatchObject({ outcome: "cancelled", tickedByHand: 0 });
    expect(made.store.tasks.text).toContain("[x] 1.1");
    expect(made.records.at(-1)).toMatchObject({ type: "answered", effect: "recordPass", key: "1.1#1/recordPass" });
    expect(await continueRun(made, scriptedExecutor())).toMatchObject({ outcome: "cancelled", tickedByHand: 0 });
  });
});

describe("the sender of a message", () => {
  const one = { kind: "terminal", terminal: "/dev/pts/1", process: "bash", pid: 4711 } as const;
  const other = { kind: "page", terminal: null, process: "zsh", pid: 815 } as const;
  const namesIn = ({ records }: MemoryRun): unknown[] =>
    records.flatMap((record) => ("by" in record ? [[record.type, record.by]] : []));

  it("is recorded with every message, and is null for the program itself", async () => {
    const made = newRun(plan);
    const heard = createRunControl();
    const { execute, answer } = working();
    heard.send(guidance("There"), one);
    const run = continueRun(made, execute, { heard });
    await settle();
    heard.send({ type: "pause" }, other);
    heard.send(guidance("Here"), one);
    heard.send({ type: "resume" });
    await settle();
    answer("1.1");
    await settle();
    answer("1.2");
    expect(await run).toMatchObject({ outcome: "complete" });
    expect(namesIn(made)).toEqual([
      ["advised", one],
      ["guided", one],
      ["said", other],
      ["guided", one],
      ["said", one],
    ]);
    expect(saidIn(made).at(-1)).toEqual({ type: "resume" });
  });

  it("is recorded with the answer: the sender, or the user who started the run", async () => {
    const asks = { policy: repair, speaker: one } as const;
    const fails = (): Executor => scriptedExecutor({ "1.1": [failedReply("1.1", "a")] });
    const skip: PersonAnswer = { kind: "decided", decision: "skip" };
    const answered = newRun("- [ ] 1.1 First\n");
    await continueRun(answered, fails(), { ...asks, ports: { person: async () => skip } });
    expect(namesIn(answered)).toEqual([["answered", one]]);

    const sent = newRun("- [ ] 1.1 First\n");
    const heard = createRunControl();
    const person: Ports["person"] = (_, signal) => {
      heard.send({ type: "decision.made", decision: "skip" }, other);
      return new Promise((resolve) => signal.addEventListener("abort", () => resolve(null)));
    };
    await continueRun(sent, fails(), { ...asks, heard, ports: { person } });
    expect(namesIn(sent)).toEqual([["answered", other]]);

    const open = newRun("- [ ] 1.1 First\n");
    expect(await continueRun(open, fails(), asks)).toMatchObject({ outcome: "gate" });
    expect(namesIn(open)).toEqual([]);
  });
});

describe("a run with many answers and messages", () => {
  it("leaves no listeners on the given signal", async () => {
    const stop = new AbortController();
    let listeners = 0;
    let most = 0;
    const { signal } = stop;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...given: Parameters<typeof add>) => {
      most = Math.max(most, ++listeners);
      add(...given);
    };
    signal.removeEventListener = (...given: Parameters<typeof remove>) => {
      listeners--;
      remove(...given);
    };
    const tasks = Array.from({ length: 40 }, (_, index) => `- [ ] 1.${index + 1} Task\n`).join("");
    const heard = createRunControl();
    const onEvent = ({ type }: { type: string }): void => {
      if (type !== "task.passed") return;
      heard.send({ type: "pause" });
      setImmediate(() => heard.send({ type: "pause" }));
      setImmediate(() => setImmediate(() => heard.send({ type: "resume" })));
    };
    const ended = await continueRun(newRun(tasks), scriptedExecutor(), { heard, signal, onEvent });
    expect(ended).toMatchObject({ outcome: "complete", attempts: 40 });
    expect(most).toBeGreaterThan(0);
    expect({ listeners, isBounded: most < 5 }).toEqual({ listeners: 0, isBounded: true });
  });
});
