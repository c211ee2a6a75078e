import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { type AnyActorRef, type AnyMachineSnapshot, type AnyStateMachine, createActor, fromPromise } from "xstate";
import { createBatchMachine } from "../../machines/batch.ts";
import { createRepairMachine } from "../../machines/repair.ts";
import { createSpecMachine } from "../../machines/spec.ts";
import { createTaskMachine } from "../../machines/task.ts";
import { type Answer, type Effect, type EffectName, effects } from "../../src/model/effect.ts";
import type { PersonEvent } from "../../src/model/person-event.ts";
import type { PolicyInput } from "../../src/model/policy.ts";
import type { TaskContext } from "../../src/model/task-context.ts";
import { pending, report, send, start } from "../../src/runtime/step.ts";
import type { StepState } from "../../src/runtime/step-state.ts";
import { explore, isUnbounded, type Place, whole } from "../support/explore-task.ts";
import { digest } from "../support/play-task.ts";

const machine = createTaskMachine();
const contextOf = (state: StepState) => state.nodes[""]?.context as TaskContext;
const keysOf = (state: StepState): string[] => pending(machine, state).map(({ key }) => key);

/** A number from 0 that a text always has. */
const numberOf = (text: string): number =>
  [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7);

/** What is answered to an effect: with one seed always the same, and never what may go on for ever. */
function answerTo(effect: Effect, context: TaskContext, seed: number): Answer<EffectName> {
  const ways = whole(effect, context).filter(([label]) => !isUnbounded({ effect } as Place, { label, to: "" }));
  const [, answer] = ways[numberOf(`${effect.key} ${seed}`) % ways.length] as (typeof ways)[number];
  return answer as Answer<EffectName>;
}

/** Answer until nothing is asked any more. */
function playOn(state: StepState, seed: number) {
  const asked: Effect[] = [];
  let last = state;
  for (let effect = pending(machine, last)[0]; effect !== undefined; effect = pending(machine, last)[0]) {
    asked.push(effect);
    last = report(machine, last, effect.key, answerTo(effect, contextOf(last), seed)).state;
  }
  return { state: last, asked, keys: asked.map(({ key }) => key) };
}

const tiny = {
  ...{ maxTaskIterations: 1, maxFixTasksPerOriginal: 1, maxFixTaskDepth: 1, repairBudget: 2 },
  ...{ maxPivotAttempts: 1, maxResearchAttempts: 1, maxTotalAttempts: 4 },
};
const ladders: PolicyInput[] = [
  { ...tiny, recovery: ["fix", "pivot", "research", "checkpoint"] },
  { ...tiny, recovery: ["repair"] },
];

/** Some states of each kind in which the machine rests, by the name of the kind. */
function resting(): Map<string, StepState[]> {
  const found = new Map<string, StepState[]>();
  for (const policy of ladders) {
    for (const { state, value, effect } of explore({ policy }, whole).values()) {
      if (effect === undefined) continue;
      const name = value === "repairing" ? `repairing, ${String(state.nodes["repair"]?.value)}` : value;
      found.set(name, [...(found.get(name) ?? []), state]);
    }
  }
  const some = [...found].map(([name, states]) => {
    const gap = Math.ceil(states.length / 12);
    return [name, states.filter((_, index) => index % gap === 0)] as const;
  });
  return new Map([...some, ["paused", [start(machine, { root: "1", policy: ladders[0], paused: true }).state]]]);
}

const kinds = resting();
const names = [...kinds.keys()];
const working = names.filter((name) => name !== "paused");
const statesOf = (name: string): StepState[] => kinds.get(name) as StepState[];
const say = (state: StepState, event: PersonEvent) => send(machine, state, event).state;

describe("task machine, whatever a person says in whatever state", () => {
  it("is looked at in every state in which it rests", () => {
    const values = new Set(names.map((name) => statesOf(name)[0]?.nodes[""]?.value));
    const passing = ["starting", "ready", "checkingLimit", "betweenParts", "pivoting", "researching"];
    const final = ["passed", "replanned", "pruned", "exhausted", "checkpoint", "gated", "cancelled"];
    expect([...values, ...passing, ...final].sort()).toEqual(Object.keys(machine.states).sort());
  });

  it.each(working)("when paused finishes what is under way, delegates nothing, and ends the same: %s", (name) => {
    for (const state of statesOf(name)) {
      for (const seed of [1, 2, 3]) {
        const straight = playOn(state, seed);
        const held = playOn(say(state, { type: "pause" }), seed);
        expect(held.keys.slice(1).filter((key) => key.endsWith("/delegate"))).toEqual([]);
        if (held.state.status === "active") expect(held.state.nodes[""]?.value).toBe("paused");
        expect(playOn(say(held.state, { type: "pause" }), seed).keys).toEqual([]);
        const after = playOn(say(held.state, { type: "resume" }), seed);
        expect([...held.keys, ...after.keys]).toEqual(straight.keys);
        expect(after.state.output).toEqual(straight.state.output);
      }
    }
  });

  it.each(working)("is as before when it is paused and resumed at once: %s", (name) => {
    for (const state of statesOf(name)) {
      expect(say(say(state, { type: "pause" }), { type: "resume" }).nodes).toEqual(state.nodes);
    }
  });

  it.each(names)("keeps guidance for all delegations that follow: %s", (name) => {
    for (const state of statesOf(name)) {
      const guided = say(state, { type: "guidance.given", text: "look at the log" });
      expect(contextOf(guided).guidance).toBe("look at the log");
      if (name === "atCheckpoint" || name === "askingPerson") {
        expect(pending(machine, guided)).toMatchObject([{ name: "delegate", input: { guidance: "look at the log" } }]);
        expect(contextOf(guided).escalation).toMatchObject({ level: "normal", pivots: 0, researches: 0, failures: 0 });
        continue;
      }
      expect(keysOf(guided)).toEqual(keysOf(state));
      const [straight, advised] = [playOn(state, 1), playOn(guided, 1)];
      expect(advised.keys).toEqual(straight.keys);
      for (const effect of advised.asked.slice(1)) {
        if (effect.name === "delegate") expect(effect.input.guidance).toBe("look at the log");
      }
    }
  });

  it.each(names)("takes a decision where it has asked for one, and nowhere else: %s", (name) => {
    const asking = ["atCheckpoint", "askingPerson"].includes(name);
    for (const state of statesOf(name)) {
      for (const decision of ["retry", "skip", "stop"] as const) {
        const decided = say(state, { type: "decision.made", decision });
        if (!asking) expect(decided.nodes).toEqual(state.nodes);
        else if (decision === "stop") expect(decided.output).toMatchObject({ kind: "cancelled" });
        else expect(pending(machine, decided).map(({ name: up }) => up)).toEqual([next[decision]]);
      }
    }
  });

  it.each(names)("ends as cancelled, asks for nothing more and takes no answer any more: %s", (name) => {
    for (const state of statesOf(name)) {
      const { root, current, spent } = contextOf(state);
      const cancelled = say(state, { type: "cancel" });
      expect(cancelled).toMatchObject({ status: "done", output: { kind: "cancelled", root, current, spent } });
      expect(pending(machine, cancelled)).toEqual([]);
      for (const effect of pending(machine, state)) {
        expect(report(machine, cancelled, effect.key, answerTo(effect, contextOf(state), 1)).state).toBe(cancelled);
      }
      expect(say(cancelled, { type: "resume" })).toBe(cancelled);
    }
  });
});

const next = { retry: "delegate", skip: "recordSkip" } as const;

/** Every effect as a promise that the test keeps, by its key. */
function kept() {
  const waiting = new Map<string, (answer: unknown) => void>();
  const keep = fromPromise(
    ({ input }) => new Promise((resolve) => waiting.set((input as { key: string }).key, resolve)),
  ) as never;
  const actors = Object.fromEntries(Object.keys(effects).map((name) => [name, keep])) as never as Record<string, never>;
  const repair = createRepairMachine().provide({ actors });
  const task = createTaskMachine().provide({ actors: { ...actors, repair: repair as never } });
  const batch = createBatchMachine().provide({ actors: { ...actors, task: task as never } });
  const spec = createSpecMachine().provide({ actors: { ...actors, task: task as never, batch: batch as never } });
  return { waiting, task, spec };
}

/** Machines at work, by path, as the step function names them. */
function machinesIn(actor: AnyActorRef, path = ""): [string, { value: unknown; context: unknown }][] {
  const { value, context, children, status } = actor.getSnapshot() as AnyMachineSnapshot;
  if (value === undefined || status !== "active") return [];
  const below = Object.entries(children as Record<string, AnyActorRef>).flatMap(([id, child]) =>
    machinesIn(child, path === "" ? id : `${path}/${id}`),
  );
  return [[path, { value, context }], ...below];
}

const member = (root: string) => ({ root, current: root, spent: {}, after: [] });

/** What a coordinator is answered beside what its tasks are: a batch, then a task, then no more. */
function answerToSpec({ name, key }: Effect): Answer<EffectName> | undefined {
  if (key === "run#1/chooseTask") return { kind: "batch", members: [member("1.1"), member("1.2")] };
  if (key === "run#2/chooseTask") return { kind: "task", root: "1.3", current: "1.3", spent: {} };
  const answers: Partial<Record<EffectName, Answer<EffectName>>> = {
    chooseTask: { kind: "none" },
    chooseCleanup: { kind: "none" },
    mergeProgress: { kind: "merged" },
    confirmCompletion: { kind: "complete" },
  };
  return answers[name];
}

const events: fc.Arbitrary<PersonEvent> = fc.oneof(
  fc.constantFrom<PersonEvent>({ type: "pause" }, { type: "resume" }, { type: "resume" }),
  fc.record({ type: fc.constant("guidance.given" as const), text: fc.constantFrom("this", "that") }),
  fc.record({
    type: fc.constant("decision.made" as const),
    decision: fc.constantFrom("retry", "skip", "skip-task", "stop"),
  }),
);
/** An answer to one of the effects that are up, by its place among them, or what a person says. */
const moves = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.nat(3) },
    { weight: 1, arbitrary: events },
    {
      weight: 1,
      arbitrary: fc.constant<PersonEvent>({ type: "cancel" }),
    },
  ),
  { maxLength: 60 },
);

describe("native actors, whatever a person says", () => {
  it.each(["task", "spec"] as const)("do what the step function does, answer by answer: %s", async (name) => {
    const input = name === "task" ? { root: "1.1", policy: ladders[0] } : { policy: ladders[0] };
    const warned = vi.spyOn(console, "warn");
    const stepped = name === "task" ? createTaskMachine() : createSpecMachine();
    await fc.assert(
      fc.asyncProperty(moves, fc.nat(1000), async (script, seed) => {
        const { waiting, ...machines } = kept();
        const actor = createActor(machines[name] as never, { input } as never) as unknown as AnyActorRef;
        actor.start();
        let { state } = start<AnyStateMachine>(stepped, input);
        for (const move of script) {
          if (state.status === "done") break;
          if (typeof move === "object") {
            actor.send(move);
            state = send(stepped, state, move).state;
          } else {
            const up = pending(stepped, state);
            const effect = up[move % Math.max(1, up.length)];
            if (effect === undefined) continue;
            const path = Object.entries(state.nodes).find(([, { invoked }]) =>
              Object.values(invoked).some((child) => child.kind === "effect" && child.effect.key === effect.key),
            )?.[0] as string;
            const context = state.nodes[path.replace(/\/?repair$/, "")]?.context as TaskContext;
            const answer = answerToSpec(effect) ?? answerTo(effect, context, seed);
            waiting.get(effect.key)?.(answer);
            await new Promise((resolve) => setImmediate(resolve));
            state = report(stepped, state, effect.key, answer).state;
          }
          const nodes = Object.entries(state.nodes).map(([path, { value, context }]) => [path, { value, context }]);
          const natively = machinesIn(actor);
          if (state.status === "done")
            expect(actor.getSnapshot()).toMatchObject({ status: "done", output: state.output });
          else expect(Object.fromEntries(natively)).toEqual(Object.fromEntries(nodes));
          for (const { key } of pending(stepped, state)) expect(waiting.has(key)).toBe(true);
        }
      }),
      { numRuns: 150 },
    );
    // XState warns of events to actors that are done.
    expect(warned).not.toHaveBeenCalled();
    warned.mockRestore();
  });

  it("take a decision about a member of a batch while others of it are at work, and warn of nothing", async () => {
    const warned = vi.spyOn(console, "warn");
    const { waiting, spec } = kept();
    const actor = createActor(spec, { input: { policy: { maxParallel: 2 } } });
    const answer = async (key: string, given: object) => {
      waiting.get(key)?.(given);
      await new Promise((resolve) => setImmediate(resolve));
    };
    const at = (path: string) => Object.fromEntries(machinesIn(actor))[path]?.value;
    actor.start();
    await answer("run#1/chooseTask", { kind: "batch", members: ["1.1", "1.2"].map(member) });
    await answer("1.1#1/delegate", { kind: "replied" });
    await answer("1.1#1/verify", { kind: "blocked", question: "Which port?" });
    expect([at("batch/1.1"), at("batch/1.2")]).toEqual(["askingPerson", "delegating"]);
    actor.send({ type: "decision.made", decision: "stop" });
    expect([at("batch/1.1"), at("batch/1.2")]).toEqual([undefined, "delegating"]);
    expect(warned).not.toHaveBeenCalled();
    warned.mockRestore();
  });

  it("tell all members of a batch, those that begin later too, and the task that is chosen next", async () => {
    const { waiting, spec } = kept();
    const actor = createActor(spec, { input: { policy: { ...ladders[1], maxParallel: 1 } as PolicyInput } });
    const answer = async (key: string, given: object) => {
      waiting.get(key)?.(given);
      await new Promise((resolve) => setImmediate(resolve));
    };
    const pass = async (task: string) => {
      await answer(`${task}#1/delegate`, { kind: "replied" });
      await answer(`${task}#1/verify`, { kind: "accepted" });
      await answer(`${task}#1/recordPass`, { kind: "recorded" });
    };
    const at = (path: string) => Object.fromEntries(machinesIn(actor))[path]?.value;
    actor.start();
    await answer("run#1/chooseTask", { kind: "batch", members: [member("1.1"), member("1.2")] });
    actor.send({ type: "pause" });
    await pass("1.1");
    expect([at(""), at("batch"), at("batch/1.2")]).toEqual(["workingOnBatch", "working", "paused"]);
    actor.send({ type: "resume" });
    await pass("1.2");
    actor.send({ type: "pause" });
    await answer("run#1/mergeProgress", { kind: "merged" });
    await answer("run#2/chooseTask", { kind: "task", root: "1.3", current: "1.3", spent: {} });
    expect([at(""), at("task")]).toEqual(["working", "paused"]);
    expect(waiting.has("1.3#1/delegate")).toBe(false);
    actor.send({ type: "resume" });
    await answer("1.3#1/delegate", { kind: "replied" });
    await answer("1.3#1/verify", { kind: "failed", layer: "signal", reason: "r" });
    await answer("1.3#1/readFailure", digest);
    await answer("1.3#1/askOperator", {
      kind: "directed",
      directive: { strategy: "escalate", tried: "", decision: "" },
    });
    expect(at("task")).toBe("askingPerson");
    actor.send({ type: "decision.made", decision: "retry" });
    expect(waiting.has("1.3#2/delegate")).toBe(true);
    actor.send({ type: "cancel" });
    expect(actor.getSnapshot()).toMatchObject({ status: "done", output: { kind: "cancelled" } });
  });
});
