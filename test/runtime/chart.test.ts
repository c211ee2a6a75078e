import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AnyStateMachine, and, assign, createMachine, emit, enqueueActions, raise } from "xstate";
import { charts } from "../../machines/charts.ts";
import { createTaskMachine } from "../../machines/task.ts";
import type { Answer, Effect } from "../../src/model/effect.ts";
import type { EscalationEvent } from "../../src/model/escalation-event.ts";
import type { PersonEvent } from "../../src/model/person-event.ts";
import { pending, start } from "../../src/runtime/step.ts";
import type { StepState } from "../../src/runtime/step-state.ts";
import { policies } from "../../src/testing/arbitraries.ts";
import { explore, wholeWith } from "../support/explore-task.ts";
import { ladderFates, ladders, others } from "../support/ladder-arbitraries.ts";
import { answerTask, type Fate, type Others } from "../support/play-task.ts";
import { judged, transitions } from "../support/step-by-xstate.ts";
import { visitPullRequest } from "../support/visit-pull-request.ts";
import { ladderWalks, plainWalks } from "../support/walks.ts";

/** What the world answers, and what people say in between. */
interface World {
  readonly fates: readonly Fate[];
  readonly others: Others;
  readonly choices: readonly (Answer<"chooseTask"> | PersonEvent | EscalationEvent)[];
  /** Which of the pending effects is answered next. */
  readonly picks: readonly number[];
}

const task = (root: string) => ({ root, current: root, spent: {} });
const advice: PersonEvent = { type: "guidance.given", text: "use zod" };
const choices = fc.constantFrom<World["choices"][number]>(
  ...[
    { kind: "task" as const, ...task("1.1") },
    { kind: "task" as const, ...task("1.2"), alwaysFixed: true },
  ],
  {
    kind: "batch",
    members: [
      { ...task("1.3"), after: [] },
      { ...task("1.4"), after: ["1.3"] },
    ],
  },
  { kind: "batch", members: ["1.5", "1.6", "1.7"].map((root) => ({ ...task(root), after: [] })) },
  ...[{ kind: "none" as const }, { kind: "gate" as const, reason: "r", hint: "h" }],
  ...[advice, { type: "pause" as const }, { type: "resume" as const }, { type: "cancel" as const }],
  { type: "decision.made", decision: "retry" },
  { type: "attempt.rejected" },
);

const worlds: fc.Arbitrary<World> = fc.record({
  fates: fc.oneof(
    ladderFates,
    fc.array(fc.constantFrom<Fate>("replanned", "extended", "refused", "failed", "accepted")),
  ),
  others,
  choices: fc.array(choices, { minLength: 1, maxLength: 12 }),
  picks: fc.array(fc.nat(4)),
});

const machine = charts.spec();

/** Play a run to its end, with a JSON round trip before every step. */
function play(policy: object, { fates, others: { operator = [], person = [] }, choices, picks }: World): StepState {
  const script = { fates: [...fates], operator: [...operator], person: [...person], picks: [...picks] };
  const left = [...choices];
  const fateOf = new Map<string, Fate>();
  let { state } = judged.start(machine, { policy });
  const stored = (): StepState => JSON.parse(JSON.stringify(state)) as StepState;
  for (let n = 0; state.status === "active"; n += 1) {
    const waiting = pending(machine, state);
    const said = left[0];
    if (waiting.length === 0 || (said !== undefined && "type" in said)) {
      if (waiting.length > 0) left.shift();
      state = judged.send(machine, stored(), waiting.length === 0 ? { type: "resume" } : (said as PersonEvent)).state;
      continue;
    }
    const effect = waiting[(script.picks.shift() ?? 0) % waiting.length] as Effect;
    if (effect.name === "askPerson" && n % 2 === 1) {
      state = judged.send(machine, stored(), n % 3 === 0 ? advice : { type: "decision.made", decision: "skip" }).state;
      continue;
    }
    const owner = effect.key.split("#")[0] as string;
    if (["delegate", "gatherParts"].includes(effect.name)) fateOf.set(owner, script.fates.shift() ?? "accepted");
    const answerOf = (): object => {
      if (effect.name === "chooseTask") return (left.shift() as Answer<"chooseTask"> | undefined) ?? { kind: "none" };
      if (effect.name === "chooseCleanup") {
        return effect.input.done.length > n % 2 ? { kind: "none" } : { kind: "task", ...task(`9.${n}`) };
      }
      if (effect.name === "mergeProgress") return { kind: "merged" };
      if (effect.name === "confirmCompletion") return { kind: n % 2 === 0 ? "complete" : "skipped" };
      const directive = effect.name === "askOperator" ? script.operator.shift() : undefined;
      const decision = effect.name === "askPerson" ? script.person.shift() : undefined;
      return answerTask(
        effect,
        fateOf.get(owner) ?? "accepted",
        directive ?? "escalate",
        decision ?? "gate",
        n,
      ) as object;
    };
    state = judged.report(machine, stored(), effect.key, answerOf() as never).state;
  }
  return state;
}

const failed = (error: string): EscalationEvent => ({ type: "attempt.failed", failure: { error } });
const attempts = fc.constantFrom<EscalationEvent | PersonEvent>(
  ...[failed("a"), failed("b"), { type: "attempt.rejected" as const }, { type: "attempt.passed" as const }],
  ...[{ type: "attempts.exhausted" as const }, advice],
);

/** States of a chart that no transition has led to, and events that none of them was told of. */
function missedIn(id: string, { root }: AnyStateMachine): string[] {
  const made = [...transitions].map((name) => name.split(" ")).filter(([chart]) => chart === id);
  const heard = new Set(made.map(([, state, event]) => `${state} ${event}`));
  const reached = new Set(made.map((name) => name.at(-1)));
  return Object.values(root.states).flatMap(({ key, transitions: ways, always }) => [
    ...(always !== undefined || reached.has(key) ? [] : [key]),
    ...[...ways.keys()].map((type) => `${key} ${type}`).filter((name) => !heard.has(name)),
  ]);
}

/** Walks that come, without any chance, to all that the others come to: `task-graph.test.ts` compares every step of those. */
const everywhere = [ladderWalks[1], ladderWalks[3], plainWalks[2]].filter((walk) => walk !== undefined);

describe("a compiled chart", () => {
  it("moves as XState does in 2000 random runs, in every state and by every event that it hears there", () => {
    const ends = new Set<unknown>();
    fc.assert(
      fc.property(fc.oneof(policies(), ladders), worlds, (policy, world) => {
        ends.add((play(policy, world).output as { kind: string }).kind);
      }),
      { numRuns: 2000 },
    );
    expect([...ends].sort()).toEqual(["cancelled", "checkpoint", "complete", "gate", "limit", "skipped"]);
    const machine = charts.escalation();
    fc.assert(
      fc.property(ladders, fc.array(attempts, { maxLength: 30 }), (policy, events) => {
        let { state } = judged.start(machine, { policy });
        for (const event of events)
          state = judged.send(machine, JSON.parse(JSON.stringify(state)) as StepState, event).state;
      }),
    );
    visitPullRequest(charts.pullRequest(), judged as never);
    const spec = charts.spec();
    const { state } = judged.start(spec, { policy: { pullRequest: {} } });
    const shipping = judged.report(spec, state, "run#1/chooseTask", { kind: "none" }).state;
    const gate = { kind: "gate", reason: "r", hint: "h" } as const;
    expect(judged.report(spec, shipping, "pr#1.1/pushBranch", gate).state.output).toEqual(gate);
    for (const type of ["pause", "resume", "cancel"] as const) judged.send(spec, shipping, { type });
    for (const { policy, most } of everywhere) explore({ policy }, wholeWith(most), createTaskMachine(), judged);
    for (const [id, create] of Object.entries(charts)) expect(missedIn(id, create()), id).toEqual([]);
  });

  it("moves as XState does where states, patterns and the root compete for an event", () => {
    const note = (text: string) =>
      assign({ notes: ({ context }: { context: { notes: string[] } }) => [...context.notes, text] });
    const machine = createMachine({
      context: { notes: [] as string[] },
      initial: "one",
      on: {
        "work.done": { actions: note("root") },
        "work.*": { target: ".one", actions: note("root pattern") },
        "*": { actions: [note("any"), emit({ type: "told" })] },
        again: ".two",
      },
      states: {
        one: {
          entry: note("into one"),
          on: {
            "work.*": { guard: ({ event }) => event.type !== "work.begun", actions: note("pattern") },
            "work.part.*": { target: "two" },
            work: { target: "one", actions: note("own") },
            anew: { target: "one", reenter: true, actions: note("anew") },
            two: [{ guard: () => false, target: "end" }, { target: "two" }],
          },
        },
        two: {
          entry: [note("into two"), assign(({ context }) => ({ notes: context.notes.slice(-4) }))],
          on: { end: "passing", "work.done": { guard: () => false, target: "one" } },
        },
        passing: { always: [{ guard: ({ event }) => event.type !== "end", target: "one" }, { target: "end" }] },
        end: { type: "final", entry: note("into the end"), output: ({ context }) => context.notes.length },
      },
      output: ({ event }) => ({ notes: (event as unknown as { output: number }).output }),
    });
    const told = [
      "work",
      "work.done",
      "work.begun",
      "work.part.a",
      "work.part",
      "again",
      "two",
      "anew",
      "other",
      "end",
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...told), { maxLength: 8 }), (types) => {
        let { state } = judged.start(machine, undefined);
        for (const type of types) if (state.status === "active") state = judged.send(machine, state, { type }).state;
      }),
      { numRuns: 300 },
    );
    expect([...transitions]).toContain("(machine) two end end");
  });

  const plain = { initial: "one", states: { one: {} } } as const;
  it.each<[what: string, chart: object, code: string, name: string]>([
    ["states within a state", { initial: "one", states: { one: plain } }, "chart", "(machine).one"],
    ["states side by side", { ...plain, type: "parallel" }, "chart", "(machine)"],
    ["a memory of states", { ...plain, states: { one: {}, two: { type: "history" } } }, "chart", "(machine).two"],
    ["no states", { entry: assign({}) }, "chart", "(machine)"],
    ["actions of the root", { ...plain, entry: assign({}) }, "chart", "(machine)"],
    ["ways on of the root", { ...plain, always: { guard: () => false, target: ".one" } }, "chart", "(machine)"],
    ["a delay", { ...plain, states: { one: { after: { 5: "one" } } } }, "chart", "(machine).one"],
    ["actions on leaving", { ...plain, states: { one: { exit: assign({}) } } }, "chart", "(machine).one"],
    ["a way to the root", { ...plain, on: { go: { target: "#(machine)", reenter: true } } }, "transition", "(machine)"],
    [
      "a way that is always open",
      { ...plain, states: { one: { always: { actions: assign({}) } } } },
      "transition",
      "(machine).one",
    ],
    [
      "a state that may be left at once, with what it invokes",
      { initial: "one", states: { one: { invoke: { src: "work" }, always: "two" }, two: {} } },
      "chart",
      "(machine).one",
    ],
    [
      "a way on from the end",
      { initial: "one", states: { one: { type: "final", always: "two" }, two: {} } },
      "chart",
      "(machine).one",
    ],
    ["what it does not know", { ...plain, states: { one: { invoke: { src: "work" } } } }, "chart", "(machine).one"],
    ["a guard of guards", { ...plain, on: { go: { guard: and([]), target: ".one" } } }, "guard", "and"],
    ["a guard that is missing", { ...plain, on: { go: { guard: "free", target: ".one" } } }, "guard", "free"],
    ["a function", { ...plain, states: { one: { entry: function shout() {} } } }, "action", "shout"],
    ["an action that is missing", { ...plain, states: { one: { entry: "shout" } } }, "action", "shout"],
    ["an event to itself", { ...plain, states: { one: { entry: raise({ type: "go" }) } } }, "action", "raise"],
  ])("refuses %s by its name", (_, chart, part, name) => {
    expect(() => start(createMachine(chart), undefined)).toThrow(
      expect.objectContaining({
        code: `${part}-unsupported`,
        message: expect.stringContaining(`${part} \`${name}\``),
      }),
    );
  });

  it("knows nothing that an action may enqueue but machines", () => {
    const entry = enqueueActions(({ enqueue }) => enqueue.cancel("it"));
    expect(() => start(createMachine({ ...plain, states: { one: { entry } } }), undefined)).toThrow(/enqueue\.cancel/);
  });
});
