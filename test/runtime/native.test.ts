import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AnyStateMachine, createActor, toPromise } from "xstate";
import { createSpecMachine } from "../../machines/spec.ts";
import { createTaskMachine } from "../../machines/task.ts";
import { createEffects } from "../../src/effects/create-effects.ts";
import type { Answer, EffectName } from "../../src/model/effect.ts";
import type { RunEvent } from "../../src/model/event.ts";
import type { PolicyInput } from "../../src/model/policy.ts";
import type { Executor } from "../../src/ports/executor.ts";
import { pending, report, start } from "../../src/runtime/step.ts";
import type { StepState } from "../../src/runtime/step-state.ts";
import { policies } from "../../src/testing/arbitraries.ts";
import { memoryStore } from "../../src/testing/memory-store.ts";
import { failedReply, scriptedExecutor } from "../../src/testing/scripted-executor.ts";
import { fates } from "../support/arbitraries.ts";
import { memoryPorts } from "../support/memory-run.ts";
import { live, lives, machines, worldOf } from "../support/native-lives.ts";
import type { Fate } from "../support/play-task.ts";

const planOf = (count: number): string =>
  Array.from(
    { length: count },
    (_, index) => `- [ ] 1.${index + 1} Task ${index + 1}\n  - **Verify**: \`true\`\n`,
  ).join("\n");

/** An executor whose attempts have the fates given, in order. */
function fated(script: readonly Fate[]): Executor & { keys: string[] } {
  const left = [...script];
  const keys: string[] = [];
  const execute: Executor = async ({ key, taskId }) => {
    keys.push(key);
    const fate = left.shift() ?? "accepted";
    if (fate === "failed") return failedReply(taskId, `boom ${keys.length}`);
    return fate === "rejected" ? "It needs human eyes\nTASK_COMPLETE" : "TASK_COMPLETE";
  };
  return Object.assign(execute, { keys });
}

async function runNatively(tasks: string, policy: PolicyInput, script: readonly Fate[]) {
  const store = memoryStore(tasks);
  const execute = fated(script);
  const actor = createActor(createSpecMachine(createEffects(memoryPorts(store, execute))), { input: { policy } });
  const events: RunEvent[] = [];
  actor.on("*", (event) => events.push(event));
  actor.start();
  const output = await toPromise(actor);
  return { output, events, keys: execute.keys, tasks: store.tasks.text, log: store.log.text };
}

async function runStepwise(tasks: string, policy: PolicyInput, script: readonly Fate[]) {
  const store = memoryStore(tasks);
  const execute = fated(script);
  const effects = createEffects(memoryPorts(store, execute));
  const machine = createSpecMachine();
  let { state } = start(machine, { policy });
  const events: RunEvent[] = [];
  for (let effect = pending(machine, state)[0]; effect !== undefined; effect = pending(machine, state)[0]) {
    const perform = effects[effect.name] as (input: unknown, signal: AbortSignal) => Promise<Answer<EffectName>>;
    const answer = await perform(effect.input, new AbortController().signal);
    const step = report(machine, JSON.parse(JSON.stringify(state)) as StepState, effect.key, answer);
    events.push(...step.events);
    state = step.state;
  }
  return { output: state.output, events, keys: execute.keys, tasks: store.tasks.text, log: store.log.text };
}

describe("step function and native actor", () => {
  it("make the same decisions in random runs, with a JSON round trip before every step", async () => {
    const runs = fc.tuple(fc.integer({ min: 1, max: 4 }), policies(), fates);
    await fc.assert(
      fc.asyncProperty(runs, async ([count, policy, script]) => {
        const tasks = planOf(count);
        expect(await runStepwise(tasks, policy, script)).toEqual(await runNatively(tasks, policy, script));
      }),
      { numRuns: Number(process.env["FC_RUNS"] ?? 60) },
    );
  });
});

describe("native actor", () => {
  it.each(lives)("emits what steps tell, also of the machines in it: $name", async (life) => {
    const { effects } = worldOf(life);
    const machine: AnyStateMachine = machines[life.machine]();
    let { state, events } = start(machine, life.input);
    for (let effect = pending(machine, state)[0]; effect !== undefined; effect = pending(machine, state)[0]) {
      const perform = effects[effect.name] as (input: unknown, signal: AbortSignal) => Promise<Answer<EffectName>>;
      const step = report(machine, state, effect.key, await perform(effect.input, new AbortController().signal));
      state = step.state;
      events = [...events, ...step.events];
    }
    const native = await live(life, worldOf(life));
    const bySort = (all: readonly RunEvent[]): string[] => all.map((event) => JSON.stringify(event)).sort();
    expect(events.length).toBeGreaterThan(0);
    expect(bySort(native.events)).toEqual(bySort(events));
  });
});

describe("native task machine", () => {
  const effects = (script: Parameters<typeof scriptedExecutor>[0]) =>
    createEffects(memoryPorts(memoryStore(planOf(2)), scriptedExecutor(script)));

  it("works as any actor: emitted events, snapshots, output", async () => {
    const machine = createTaskMachine(effects({ "1.1": [failedReply("1.1", "boom")] }));
    const actor = createActor(machine, { input: { root: "1.1", policy: { recovery: ["fix"] } } });
    const events: RunEvent[] = [];
    actor.on("*", (event) => events.push(event));
    const states: unknown[] = [];
    actor.subscribe(({ value }) => states.push(value));
    actor.start();
    expect(await toPromise(actor)).toMatchObject({ kind: "passed", spent: { "1.1": { fixes: ["1.1.1"] } } });
    expect(events.map(({ type }) => type)).toEqual([
      "task.failed",
      "task.decided",
      "fix.inserted",
      "task.passed",
      "task.passed",
    ]);
    expect(states).toContain("insertingFix");
    expect(actor.getSnapshot().hasTag("settled")).toBe(true);
  });

  it("shows every transition to an inspector", async () => {
    const seen = new Set<string>();
    const actor = createActor(createTaskMachine(effects({})), {
      input: { root: "1.1" },
      inspect: (inspection) => seen.add(inspection.type),
    });
    actor.start();
    await toPromise(actor);
    expect([...seen].sort()).toEqual([
      "@xstate.action",
      "@xstate.actor",
      "@xstate.event",
      "@xstate.microstep",
      "@xstate.snapshot",
    ]);
  });

  it("says so when it was created without effects", async () => {
    const actor = createActor(createTaskMachine(), { input: { root: "1.1" } });
    actor.subscribe({ error: () => {} });
    actor.start();
    await expect(toPromise(actor)).rejects.toMatchObject({ code: "effect-not-provided", blame: "input" });
  });

  it("takes provided actors when used alone", async () => {
    const { fromPromise } = await import("xstate");
    const machine = createTaskMachine(effects({})).provide({
      actors: { verify: fromPromise(async () => ({ kind: "accepted" as const })) as never },
    });
    const actor = createActor(machine, { input: { root: "1.1" } });
    actor.start();
    expect(await toPromise(actor)).toMatchObject({ kind: "passed" });
  });

  it("ends as cancelled when it is told to", () => {
    const actor = createActor(createTaskMachine(effects({})), { input: { root: "1.1" } });
    actor.start();
    actor.send({ type: "cancel" });
    expect(actor.getSnapshot().output).toMatchObject({ kind: "cancelled", root: "1.1" });
  });
});
