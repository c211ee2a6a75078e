import { describe, expect, it } from "vitest";
import { createEffects } from "../../src/effects/create-effects.ts";
import { createRunMemory } from "../../src/effects/run-memory.ts";
import { withMemory } from "../../src/effects/with-memory.ts";
import type { EffectInput } from "../../src/model/effect.ts";
import type { RunRecord } from "../../src/model/record.ts";
import type { Ports } from "../../src/ports/ports.ts";
import { memoryStore } from "../../src/testing/memory-store.ts";
import { scriptedExecutor } from "../../src/testing/scripted-executor.ts";
import { stillClock } from "../../src/testing/still-clock.ts";
import { recordAnswer } from "../support/answered.ts";
import { inputs } from "../support/effect-inputs.ts";
import { memoryPorts } from "../support/memory-run.ts";

const never = new AbortController().signal;
const minuteMs = 60_000;
const plan = "- [ ] 1.1 First\n";

/** Effects at this time, over a task whose executor was asked once, and is at its limit until then. */
async function world({ now = 0, limitedUntil = null as number | null, more = {} as Partial<Ports> } = {}) {
  let elapsedMs = 0;
  const records: RunRecord[] = [];
  const store = { append: (made: readonly RunRecord[]) => void records.push(...made) };
  const memory = createRunMemory({
    ...{ open: 1, elapsedMs: () => elapsedMs },
    store: { ...store, writeOutput: () => {}, readOutput: async () => "" },
  });
  const clock = stillClock(now);
  const ports = memoryPorts(memoryStore(plan), scriptedExecutor());
  const effects = createEffects(withMemory({ ...ports, clock, ...more, attempts: memory }));
  await effects.delegate(inputs.delegate("1.1"), never);
  if (limitedUntil !== null) {
    recordAnswer(memory, "1.1#1/readFailure", { kind: "rate-limit", until: limitedUntil }, undefined, { at: now });
  }
  const pass = (ms: number): void => {
    elapsedMs += ms;
  };
  return { clock, memory, records, effects, pass };
}

const waiting = (more: Partial<EffectInput<"wait">> = {}): EffectInput<"wait"> => ({
  ...{ key: "1.1#1/wait", task: "1.1", reason: "rate-limit", error: "no answer", until: null, ...more },
});

describe("an executor that works again by itself", () => {
  it("is waited for until then", async () => {
    const { clock, effects } = await world({ limitedUntil: 9000 });
    expect(await effects.wait(waiting({ until: 9000 }), never)).toStrictEqual({ kind: "waited" });
    expect(clock.now()).toBe(9000);
  });

  it("is waited for no longer than it takes until one of its chain is free", async () => {
    const { clock, effects } = await world({ limitedUntil: 5000 });
    await effects.wait(waiting({ until: 9000 }), never);
    expect(clock.now()).toBe(5000);
  });

  it("is waited for as long as was said where nobody else can help", async () => {
    const { clock, effects, memory } = await world();
    recordAnswer(memory, "1.1#1/readFailure", { kind: "auth", until: null });
    await effects.wait(waiting({ until: 9000 }), never);
    expect(clock.now()).toBe(9000);
  });

  it("is waited for no longer where the clock is set back as the wait begins", async () => {
    const { clock, effects, memory } = await world({ now: 5000, limitedUntil: 9000 });
    const sleeps: number[] = [];
    let setBack = 0;
    const { now } = clock;
    Object.assign(clock, {
      now: () => now() - setBack,
      sleepUntil: async (time: number) => void sleeps.push(time - clock.now()),
    });
    Object.assign(memory, {
      pause: () => {
        setBack = 1_000_000;
        return () => {};
      },
    });
    await effects.wait(waiting({ until: 9000 }), never);
    expect(sleeps).toEqual([4000]);
  });

  it("takes none of the working time of the run", async () => {
    const { clock, effects, memory, pass } = await world({ limitedUntil: 9000 });
    const { sleepUntil } = clock;
    Object.assign(clock, {
      sleepUntil: async (time: number, signal: AbortSignal) => {
        pass(9000);
        await sleepUntil(time, signal);
      },
    });
    await effects.wait(waiting({ until: 9000 }), never);
    expect(memory.ledger.elapsedMs).toBe(0);
    pass(10);
    expect(memory.ledger.elapsedMs).toBe(10);
  });
});

describe("an executor that only a person can help", () => {
  it("is taken to be helped where a start before has asked", async () => {
    const before = await world();
    expect(await before.effects.wait(waiting(), never)).toMatchObject({ kind: "gate" });
    const attempts = createRunMemory({ open: 1 });
    for (const record of before.records) attempts.apply(record);
    const ports = memoryPorts(memoryStore(plan), scriptedExecutor());
    const effects = createEffects(withMemory({ ...ports, known: { text: plan }, attempts }));
    expect(await effects.wait(waiting(), never)).toStrictEqual({ kind: "waited" });
  });

  it.each([
    ["auth", "Log the executor in, then go on: fixpoint run sample"],
    ["permission", "Give the executor what it needs, then go on: fixpoint run sample"],
  ] as const)("is asked for with what it needs: %s", async (reason, hint) => {
    const { effects } = await world();
    expect(await effects.wait(waiting({ reason }), never)).toStrictEqual({
      kind: "gate",
      reason: `The executor cannot work on task 1.1 (${reason}): no answer`,
      hint,
    });
  });

  it("is asked for with the command of whoever has started the run", async () => {
    const address = { program: "npx fixpoint", spec: "other", cwd: null, path: "other" };
    const { effects } = await world({ more: { address } });
    expect(await effects.wait(waiting({ reason: "auth" }), never)).toMatchObject({
      hint: "Log the executor in, then go on: npx fixpoint run other",
    });
  });

  it.each([
    [0, "less than a minute"],
    [minuteMs, "1 min"],
    [59.6 * minuteMs, "1 h"],
    [61 * minuteMs, "1 h 1 min"],
    [150 * minuteMs, "2 h 30 min"],
  ])("is told to have been waited for in vain: %i ms", async (ms, told) => {
    const { effects, memory, pass } = await world({ now: 1000 });
    memory.availability.waitedSince(1000, 1000);
    pass(ms);
    expect(await effects.wait(waiting({ reason: "offline", since: 1000 }), never)).toStrictEqual({
      kind: "gate",
      reason: `The executor could not work on task 1.1 for ${told} (offline): no answer`,
      hint: "Wait until it can work, then go on: fixpoint run sample\nOr have the run wait for as long as it takes: fixpoint run sample --max-wait off",
    });
  });
});

describe("an act that the tool of an executor did not allow", () => {
  const gate = async (denied: EffectInput<"wait">["denied"]): Promise<object> =>
    (await world()).effects.wait(waiting({ reason: "permission", denied: denied as never }), never);
  const act = { tool: "Bash", act: "npm test" };

  it("is asked about by name", async () => {
    expect(await gate(act)).toStrictEqual({
      kind: "gate",
      reason: "The executor of task 1.1 was not allowed to use Bash: npm test",
      hint: "Allow it where the executor is set up, then go on: fixpoint run sample",
    });
    expect(await gate({ ...act, allow: "Set it in its file" })).toMatchObject({
      hint: "Set it in its file, then go on: fixpoint run sample",
    });
  });

  it("is allowed alone or with everything else, by words of the command line", async () => {
    const allow = "Let it run it";
    expect(await gate({ ...act, allow, words: ["--allow", "npm test"] })).toMatchObject({
      hint: 'Let it run it: fixpoint run sample --allow "npm test"\nOr let it do anything: fixpoint run sample --permissions full',
    });
    expect(await gate({ ...act, allow, words: ["--permissions", "full"] })).toMatchObject({
      hint: "Let it run it: fixpoint run sample --permissions full",
    });
  });
});
