import { describe, expect, it } from "vitest";
import { getInitialMicrosteps, getMicrosteps } from "xstate";
import { createTaskMachine } from "../../machines/task.ts";
import { effects } from "../../src/model/effect.ts";
import { Policy, type PolicyInput } from "../../src/model/policy.ts";
import { TaskContext } from "../../src/model/task-context.ts";
import { pending, report, start } from "../../src/runtime/step.ts";
import type { StepState } from "../../src/runtime/step-state.ts";
import { explore, type Graph, mostDelegations, nameOf, type Place, wholeWith } from "../support/explore-task.ts";
import { longestCourse } from "../support/longest-course.ts";
import { callBound, longestRun } from "../support/longest-run.ts";
import { answerOfOperator } from "../support/play-task.ts";

const endsOf = (graph: Graph): Place[] => [...graph.values()].filter(({ ways }) => ways.length === 0);
const outcomeOf = ({ state }: Place) => (state.output as { kind: string } | null)?.kind;

const small: PolicyInput[] = [
  ...[1, 2].flatMap((maxTaskIterations) =>
    [
      [0, 1, 1],
      [1, 0, 1],
      [1, 1, 1],
      [1, 2, 2],
      [2, 1, 2],
      [2, 1, 1],
      [2, 2, 2],
      [2, 2, 3],
      [2, 2, 4],
    ].map(([maxFixTasksPerOriginal, maxFixTaskDepth, maxFixTasksPerRoot]) => ({
      recovery: ["fix" as const],
      maxTaskIterations,
      maxFixTasksPerOriginal: maxFixTasksPerOriginal as number,
      maxFixTaskDepth: maxFixTaskDepth as number,
      maxFixTasksPerRoot: maxFixTasksPerRoot as number,
    })),
  ),
  { recovery: ["retry"], maxTaskIterations: 1 },
  { recovery: ["retry"], maxTaskIterations: 2 },
];

/** Without names of checks that fail, and with two checks where that is soon played out. */
const cases = small.flatMap((policy) =>
  [0, 2]
    .filter((most) => most === 0 || (policy.maxFixTasksPerRoot ?? 0) <= 2)
    .map((most) => [JSON.stringify(policy), most, policy] as const),
);

describe("task machine, explored exhaustively", () => {
  it.each(cases)("ends in a named outcome: %s, %i checks fail", (_, most, given) => {
    const policy = Policy.parse(given);
    const graph = explore({ policy }, wholeWith(most));
    const ends = endsOf(graph);
    expect(ends.every(({ state }) => state.status === "done")).toBe(true);
    expect([...new Set(ends.map(outcomeOf))].sort()).toEqual(outcomes);
    const longest = mostDelegations(graph);
    if (most === 0) expect(longest).toBe(longestRun(policy));
    expect(longest).toBe(longestCourse(policy, most));
    expect(longest).toBeLessThanOrEqual(callBound(policy, most));
  });

  it("covers twenty policies", () => {
    expect(small).toHaveLength(20);
    expect(cases).toHaveLength(20 + 16);
  });
});

/** Of a task whose executor may ask a person, who may leave it out or stop the run. */
const outcomes = ["cancelled", "exhausted", "gate", "passed", "pruned", "replanned"];

const tiny = {
  maxTaskIterations: 1,
  maxFixTasksPerOriginal: 1,
  maxFixTaskDepth: 1,
  maxFixTasksPerRoot: 1,
  repairBudget: 1,
  maxPivotAttempts: 1,
  maxResearchAttempts: 1,
};

/** Ladders with every remedy, and with limits so small that each is used up. */
const ladders: PolicyInput[] = [
  { ...tiny, recovery: ["fix", "repair", "pivot", "research", "checkpoint"], maxTotalAttempts: 4 },
  { ...tiny, recovery: ["repair", "fix", "checkpoint"], maxTotalAttempts: 4 },
  { ...tiny, recovery: ["retry", "pivot", "research", "checkpoint"], maxTaskIterations: 2 },
  { ...tiny, recovery: ["retry", "repair", "pivot"], maxTaskIterations: 2, maxPivotAttempts: 2, maxTotalAttempts: 4 },
  { ...tiny, recovery: ["repair"], repairBudget: 2 },
];
/** The same, where two checks fail in the beginning, each of them played out sooner. */
const named: PolicyInput[] = [
  { ...tiny, recovery: ["fix", "pivot", "checkpoint"], maxTotalAttempts: 4 },
  { ...tiny, recovery: ["fix", "repair"] },
  { ...tiny, recovery: ["retry", "pivot", "checkpoint"], maxTaskIterations: 2, maxTotalAttempts: 4 },
  { ...tiny, recovery: ["fix"], maxFixTasksPerOriginal: 2, maxFixTaskDepth: 2, maxFixTasksPerRoot: 2 },
];
/** All but the largest: together they have every remedy, too. */
const quick = ladders.slice(1);

const machine = createTaskMachine();
const graphs = new Map<PolicyInput, Graph>();
const answersFor = (policy: PolicyInput) => wholeWith(named.includes(policy) ? 2 : 0);

function graphOf(policy: PolicyInput): Graph {
  const graph = graphs.get(policy) ?? explore({ policy }, answersFor(policy));
  graphs.set(policy, graph);
  return graph;
}

/** Everything that the outside, or the machine of a repair, may answer in a state, as events. */
function eventsIn({ state, effect, context }: Place): { type: string; output: object }[] {
  const id = Object.keys(state.nodes[""]?.invoked ?? {})[0] as string;
  const answers = effect === undefined ? [] : wholeWith(2)(effect, context).map(([, answer]) => answer);
  const outcomes = (["retry", "decompose2", "prune", "escalate", "denied"] as const).map((fate) =>
    answerOfOperator(fate, context.current, 0),
  );
  return (id === "repair" ? outcomes : answers).map((output) => ({ type: `xstate.done.actor.${id}`, output }));
}

/** The states that a machine passes through or rests in, on all ways of a graph. */
function statesOn(graph: Graph): Set<unknown> {
  const seen = new Set<unknown>();
  const walk = (steps: readonly (readonly [{ value: unknown }, ...unknown[]])[]) => {
    for (const [{ value }] of steps) seen.add(value);
  };
  walk(getInitialMicrosteps(machine, { root: "1" }));
  for (const place of graph.values()) {
    const snapshot = machine.resolveState({ value: place.value as "ready", context: place.context });
    for (const event of place.effect === undefined ? [] : eventsIn(place)) {
      walk(getMicrosteps(machine, snapshot, event as never));
    }
  }
  return seen;
}

describe("task machine with every remedy, explored exhaustively", () => {
  const ends: readonly string[][] = [
    ["cancelled", "checkpoint", "exhausted", "gate", "passed", "pruned", "replanned"],
    ["cancelled", "checkpoint", "exhausted", "gate", "passed", "pruned", "replanned"],
    ["cancelled", "checkpoint", "exhausted", "gate", "passed", "pruned", "replanned"],
    outcomes,
    outcomes,
    ["cancelled", "checkpoint", "exhausted", "gate", "passed", "pruned", "replanned"],
    outcomes,
    ["cancelled", "checkpoint", "exhausted", "gate", "passed", "pruned", "replanned"],
    outcomes,
  ];
  const all = [...ladders, ...named];
  const titled = all.map((policy) => [policy.recovery?.join(", "), named.includes(policy) ? 2 : 0, policy] as const);

  it.each(titled)("comes to a named outcome on every way: %s, %i checks fail", (_, _most, policy) => {
    const last = endsOf(graphOf(policy));
    expect(last.every(({ state }) => state.status === "done")).toBe(true);
    expect([...new Set(last.map(outcomeOf))].sort()).toEqual(ends[all.indexOf(policy)]);
  });

  it.each(titled)(
    "comes back to no state without a spent budget, but by waiting or by a person: %s, %i checks fail",
    (_, _most, policy) => {
      expect(mostDelegations(graphOf(policy))).toBeGreaterThan(1);
    },
  );

  it("asks for every effect in the form that it has, and keeps a context that can be restored", () => {
    for (const { effect, context } of [...quick, ...named].flatMap((policy) => [...graphOf(policy).values()])) {
      expect(TaskContext.safeParse(context).error).toBeUndefined();
      if (effect !== undefined) expect(effects[effect.name].input.safeParse(effect.input).error).toBeUndefined();
    }
  });

  it("reaches every state of the chart", () => {
    const seen = new Set(quick.flatMap((policy) => [...statesOn(graphOf(policy))]));
    const paused = start(machine, { root: "1", paused: true }).state;
    seen.add(paused.nodes[""]?.value);
    expect([...seen].sort()).toEqual(Object.keys(machine.states).sort());
  });

  it.each([
    ["without checks that are named", quick[0] as PolicyInput],
    ["with levels", named[2] as PolicyInput],
    ["with fixes", named[3] as PolicyInput],
  ])("names states of the exploration alike only if they go on alike: %s", (_, policy) => {
    const graph = graphOf(policy);
    const answersTo = answersFor(policy);
    for (const { state, effect, context } of graph.values()) {
      if (effect === undefined) continue;
      for (const [, answer] of answersTo(effect, context)) {
        const after = report(machine, state, effect.key, answer as never).state;
        const alike = graph.get(nameOf(after)) as Place;
        if (alike.state === after || alike.effect === undefined) continue;
        const ways = answersTo(alike.effect, after.nodes[""]?.context as Place["context"]).map(([label, next]) => ({
          label,
          to: nameOf(report(machine, after, pendingKey(after), next as never).state),
        }));
        expect(ways).toEqual(alike.ways);
      }
    }
  });
});

const pendingKey = (state: StepState): string => pending(machine, state)[0]?.key as string;
