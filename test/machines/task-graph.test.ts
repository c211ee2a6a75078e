import { describe, expect, it } from "vitest";
import { getInitialMicrosteps, getMicrosteps } from "xstate";
import { createTaskMachine } from "../../machines/task.ts";
import { effects } from "../../src/model/effect.ts";
import { Policy, type PolicyInput } from "../../src/model/policy.ts";
import { TaskContext } from "../../src/model/task-context.ts";
import { pending, report, start } from "../../src/runtime/step.ts";
import type { StepState } from "../../src/runtime/step-state.ts";
import { explore, type Graph, mostDelegations, nameOf, type Place, whole } from "../support/explore-task.ts";
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

describe("task machine, explored exhaustively", () => {
  it.each(small.map((policy) => [JSON.stringify(policy), policy] as const))(
    "ends in a named outcome: %s",
    (_, policy) => {
      const graph = explore({ policy }, whole);
      const ends = endsOf(graph);
      expect(ends.every(({ state }) => state.status === "done")).toBe(true);
      expect([...new Set(ends.map(outcomeOf))].sort()).toEqual(["exhausted", "gate", "passed", "replanned"]);
      const longest = mostDelegations(graph);
      expect(longest).toBe(longestRun(Policy.parse(policy)));
      expect(longest).toBeLessThanOrEqual(callBound(Policy.parse(policy)));
    },
  );

  it("covers twenty policies", () => {
    expect(small).toHaveLength(20);
  });
});

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
/** All but the largest: together they have every remedy, too. */
const quick = ladders.slice(1);

const machine = createTaskMachine();
const graphs = new Map<PolicyInput, Graph>();

function graphOf(policy: PolicyInput): Graph {
  const graph = graphs.get(policy) ?? explore({ policy }, whole);
  graphs.set(policy, graph);
  return graph;
}

/** Everything that the outside, or the machine of a repair, may answer in a state, as events. */
function eventsIn({ state, effect, context }: Place): { type: string; output: object }[] {
  const id = Object.keys(state.nodes[""]?.invoked ?? {})[0] as string;
  const answers = effect === undefined ? [] : whole(effect, context).map(([, answer]) => answer);
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
  const named: readonly string[][] = [
    ["cancelled", "checkpoint", "exhausted", "gate", "passed", "pruned", "replanned"],
    ["cancelled", "checkpoint", "exhausted", "gate", "passed", "pruned", "replanned"],
    ["cancelled", "checkpoint", "exhausted", "gate", "passed", "pruned", "replanned"],
    ["cancelled", "exhausted", "gate", "passed", "pruned", "replanned"],
    ["cancelled", "exhausted", "gate", "passed", "pruned", "replanned"],
  ];

  it.each(ladders.map((policy, index) => [policy.recovery?.join(", "), policy, named[index]] as const))(
    "comes to a named outcome on every way: %s",
    (_, policy, outcomes) => {
      const ends = endsOf(graphOf(policy));
      expect(ends.every(({ state }) => state.status === "done")).toBe(true);
      expect([...new Set(ends.map(outcomeOf))].sort()).toEqual(outcomes);
    },
  );

  it.each(ladders.map((policy) => [policy.recovery?.join(", "), policy] as const))(
    "comes back to no state without a spent budget, but by waiting or by a person: %s",
    (_, policy) => {
      expect(mostDelegations(graphOf(policy))).toBeGreaterThan(1);
    },
  );

  it("asks for every effect in the form that it has, and keeps a context that can be restored", () => {
    for (const { effect, context } of quick.flatMap((policy) => [...graphOf(policy).values()])) {
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

  it("names states of the exploration alike only if they go on alike", () => {
    const graph = graphOf(quick[0] as PolicyInput);
    for (const { state, effect, context } of graph.values()) {
      if (effect === undefined) continue;
      for (const [, answer] of whole(effect, context)) {
        const after = report(machine, state, effect.key, answer as never).state;
        const alike = graph.get(nameOf(after)) as Place;
        if (alike.state === after || alike.effect === undefined) continue;
        const ways = whole(alike.effect, after.nodes[""]?.context as Place["context"]).map(([label, next]) => ({
          label,
          to: nameOf(report(machine, after, pendingKey(after), next as never).state),
        }));
        expect(ways).toEqual(alike.ways);
      }
    }
  });
});

const pendingKey = (state: StepState): string => pending(machine, state)[0]?.key as string;
