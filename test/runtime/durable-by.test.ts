import { describe, expect, it } from "vitest";
import { createTaskMachine } from "../../machines/task.ts";
import type { Answer, Effect, EffectName } from "../../src/model/effect.ts";
import type { RunEvent } from "../../src/model/event.ts";
import type { Speaker } from "../../src/model/person-event.ts";
import type { RunRecord } from "../../src/model/record.ts";
import { type DurableRun, type DurableSetup, durableBy } from "../../src/runtime/durable-by.ts";
import { torture } from "../campaigns/torture/property.ts";
import { type EngineCrash, memoryEngine } from "../support/memory-engine.ts";
import { digest } from "../support/play-task.ts";

const answers: Partial<Record<EffectName, Answer<EffectName>>> = {
  delegate: { kind: "replied" },
  verify: { kind: "accepted" },
  readFailure: digest,
  insertFix: { kind: "inserted", fix: "1.1.1" },
  recordPass: { kind: "recorded" },
};
const person = (word: string): Speaker => ({ kind: "page", terminal: null, process: null, pid: null, word });
const setup = (perform: DurableSetup["perform"], once: DurableSetup["once"]): DurableSetup => ({
  ...{ machine: createTaskMachine(), input: { root: "1.1" }, policy: { recovery: ["fix"] }, perform, once },
});
const answered = ({ name, key }: Effect): Answer<EffectName> =>
  key === "1.1#1/verify" ? { kind: "failed", layer: "verify", reason: "r" } : (answers[name] as Answer<EffectName>);
const inMemory: DurableSetup["once"] = (_at, happening) => happening();

async function recover(crashes: readonly EngineCrash[]) {
  const engine = memoryEngine<readonly RunRecord[]>(crashes);
  const performed: string[] = [];
  const perform = async (effect: Effect) => {
    performed.push(effect.key);
    return { answer: answered(effect) };
  };
  const output = await engine.run((once) => durableBy(setup(perform, once)).done);
  return { output, performed, engine };
}

describe("a run on a durable engine", () => {
  it("is one step of the engine for each effect", async () => {
    const { output, performed, engine } = await recover([]);
    expect(output).toMatchObject({ kind: "passed", root: "1.1" });
    expect(
      engine.kept().map((records) => records.map((record) => ("effect" in record ? record.effect : record.type))),
    ).toEqual([
      ...[["decide"], ["delegated", "delegate"], ["verify"], ["readFailure"], ["decide"], ["intended", "insertFix"]],
      ...[["delegated", "delegate"], ["verify"], ["recordPass"], ["decide"], ["delegated", "delegate"], ["verify"]],
      ...[["recordPass"], []],
    ]);
    expect(new Set(performed).size).toBe(performed.length);
  });

  it.each(["before", "made", "kept"] as const)("continues unchanged after a crash at any step: %s", async (when) => {
    const calm = await recover([]);
    for (let after = 0; after < calm.engine.kept().length; after++) {
      const rough = await recover([
        { after, when },
        { after: 1, when },
      ]);
      expect(rough.engine.kept()).toEqual(calm.engine.kept());
      expect(rough.output).toEqual(calm.output);
    }
  });

  it("writes the same after any crash, failure or message", async () => {
    expect(await torture({ numRuns: 15, seed: 7 })).toMatchObject({ failure: null });
  });

  it("repeats an effect if the engine retries the step, and otherwise ends with its error", async () => {
    let failures = 1;
    const perform = async (effect: Effect) => {
      if (effect.name === "verify" && failures-- > 0) throw new Error("gone");
      return { answer: answered(effect) };
    };
    const again: DurableSetup["once"] = (_at, happening) => happening().catch(happening);
    expect(await durableBy(setup(perform, again)).done).toMatchObject({ kind: "passed" });
    failures = 1;
    const run = durableBy(setup(perform, inMemory));
    await expect(run.done).rejects.toThrow("gone");
    expect(await run.say({ type: "pause" })).toBe(false);
  });

  it("keeps the inputs of an answer, and the records made meanwhile", async () => {
    const engine = memoryEngine<readonly RunRecord[]>();
    const closed: RunRecord = { type: "closed", fix: "1.1.9", by: "run" };
    const facts = { usage: { costUsd: 1, tokens: null } } as never;
    await engine.run(
      (once) =>
        durableBy(
          setup(
            async (effect) => ({
              answer: answered(effect),
              ...(effect.name === "verify" && { facts, records: [closed] }),
            }),
            once,
          ),
        ).done,
    );
    expect(engine.kept().flat()).toContainEqual(closed);
    expect(engine.kept().flat()).toContainEqual(
      expect.objectContaining({ effect: "verify", usage: { costUsd: 1, tokens: null } }),
    );
  });

  it("receives a person's answer once, while the question blocks nothing else", async () => {
    const events: RunEvent["type"][] = [];
    const engine = memoryEngine<readonly RunRecord[]>([{ after: 5, when: "kept" }]);
    const aborted: string[] = [];
    const heard: boolean[] = [];
    const start = (once: DurableSetup["once"]): DurableRun => {
      const run = durableBy({
        ...setup((effect, { signal }) => {
          signal.addEventListener("abort", () => void aborted.push(effect.key));
          if (effect.name === "askPerson") return null;
          if (effect.key === "1.1#2/delegate") return new Promise(() => {});
          return Promise.resolve({
            answer: effect.name === "verify" ? ({ kind: "blocked", question: "q" } as const) : answered(effect),
          });
        }, once),
        onEvent: ({ type }) => void events.push(type),
      });
      const say = async (...said: Parameters<typeof run.say>) => void heard.push(await run.say(...said));
      void say({ type: "pause" }, person("a"))
        .then(() => say({ type: "resume" }, person("b")))
        .then(() => say({ type: "resume" }, person("b")))
        .then(() => say({ type: "decision.made", decision: "retry" }, { ...person("c"), kind: "program" }));
      const unasked = setInterval(() => {
        if (events.includes("person.asked")) void say({ type: "decision.made", decision: "stop" }, person("d"));
      }, 5);
      void run.done.finally(() => clearInterval(unasked));
      return run;
    };
    expect(await engine.run((once) => start(once).done)).toMatchObject({ kind: "cancelled" });
    const said = engine
      .kept()
      .flat()
      .filter(({ type }) => type === "said");
    expect(said).toMatchObject([{ event: { type: "pause" } }, { event: { type: "resume" } }]);
    expect(heard.slice(0, 3)).toEqual([true, true, true]);
    expect(events).toContain("person.asked");
    expect(aborted).toEqual([]);
  });

  it("ends effects that are no longer needed, and records what they complete", async () => {
    const aborted: string[] = [];
    let finish = (): void => {};
    const run: DurableRun = durableBy(
      setup(
        (effect, { signal }) => {
          signal.addEventListener("abort", () => void aborted.push(effect.key));
          if (effect.name !== "recordPass")
            return Promise.resolve({ answer: answers[effect.name] as Answer<EffectName> });
          void run.say({ type: "cancel" });
          return new Promise((resolve) => {
            finish = () => resolve({ answer: { kind: "recorded" } });
          });
        },
        (_at, happening) =>
          happening().then((records) => {
            if (records.some(({ type }) => type === "said")) setImmediate(finish);
            return records;
          }),
      ),
    );
    expect(await run.done).toMatchObject({ kind: "cancelled" });
    expect(aborted).toEqual([]);
    expect(run.state.accepted).toEqual({ "1.1": true });
    const left: string[] = [];
    const other: DurableRun = durableBy(
      setup((effect, { signal }) => {
        signal.addEventListener("abort", () => void left.push(effect.key));
        void other.say({ type: "cancel" });
        return new Promise((resolve, reject) =>
          signal.addEventListener("abort", () =>
            effect.name === "delegate" ? reject(new Error("aborted")) : resolve({ answer: { kind: "accepted" } }),
          ),
        );
      }, inMemory),
    );
    expect(await other.done).toMatchObject({ kind: "cancelled" });
    expect(left).toEqual(["1.1#1/delegate"]);
  });
});
