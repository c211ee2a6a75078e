import { describe, expect, it } from "vitest";
import { getInitialMicrosteps, getMicrosteps } from "xstate";
import { createTaskMachine } from "../../machines/task.ts";
import { start } from "../../src/runtime/step.ts";
import { type Place, wholeWith } from "../support/explore-task.ts";
import { answerOfOperator } from "../support/play-task.ts";
import { judged } from "../support/step-by-xstate.ts";
import {
  faultsOf,
  formFaults,
  graphOf,
  ladderWalks,
  nameOfWalk,
  plainWalks,
  unlikeIn,
  type Walk,
} from "../support/walks.ts";

const short = (walks: readonly Walk[]) =>
  walks.filter(({ isLong }) => !isLong).map((walk) => [nameOfWalk(walk), walk] as const);
const quick = short(ladderWalks).map(([, walk]) => walk);

/** The longest of all, which would take half of the time of all: the campaign `walks` judges their steps. */
const longest: readonly Walk[] = [0, 2, 6, 7].flatMap((number) => ladderWalks[number] ?? []);
const stepsOf = (walk: Walk) => (longest.includes(walk) ? undefined : judged);

describe("task machine, explored exhaustively", () => {
  it.each(short(plainWalks))(
    "ends in a named outcome, after no more delegations than it may, moving as XState does: %s",
    (_, walk) => {
      expect(faultsOf(walk, graphOf(walk, stepsOf(walk)))).toEqual([]);
    },
  );

  it("covers twenty policies, and many of them with checks that tests name", () => {
    const policies = short(plainWalks).map(([, { policy }]) => JSON.stringify(policy));
    expect(new Set(policies).size).toBe(20);
    expect(policies).toHaveLength(20 + 11);
    expect(plainWalks).toHaveLength(20 + 16);
  });
});

const machine = createTaskMachine();

/** Everything that the outside, or the machine of a repair, may answer in a state, as events. */
function eventsIn({ state, effect, context }: Place): { type: string; output: object }[] {
  const id = Object.keys(state.nodes[""]?.invoked ?? {})[0] as string;
  const answers = effect === undefined ? [] : wholeWith(2)(effect, context).map(([, answer]) => answer);
  const outcomes = (["retry", "decompose2", "prune", "escalate", "denied"] as const).map((fate) =>
    answerOfOperator(fate, context.current, 0),
  );
  return (id === "repair" ? outcomes : answers).map((output) => ({ type: `xstate.done.actor.${id}`, output }));
}

/** The states that a machine passes through or rests in, on all ways of walks, until there is none left to see. */
function statesOn(walks: readonly Walk[], all: readonly string[]): Set<unknown> {
  const seen = new Set<unknown>([start(machine, { root: "1", paused: true }).state.nodes[""]?.value]);
  const walk = (steps: readonly (readonly [{ value: unknown }, ...unknown[]])[]) => {
    for (const [{ value }] of steps) seen.add(value);
  };
  walk(getInitialMicrosteps(machine, { root: "1" }));
  for (const place of walks.flatMap((each) => [...graphOf(each).values()])) {
    if (all.every((state) => seen.has(state))) break;
    const snapshot = machine.resolveState({ value: place.value as "ready", context: place.context });
    for (const event of place.effect === undefined ? [] : eventsIn(place)) {
      walk(getMicrosteps(machine, snapshot, event as never));
    }
  }
  return seen;
}

describe("task machine with every remedy, explored exhaustively", () => {
  it.each(short(ladderWalks))(
    "comes to a named outcome on every way, and back to no state for nothing, moving as XState does: %s",
    (_, walk) => {
      expect(faultsOf(walk, graphOf(walk, stepsOf(walk)))).toEqual([]);
    },
  );

  it("asks for every effect in the form that it has, and keeps a context that can be restored", () => {
    expect(quick.flatMap((walk) => formFaults(graphOf(walk)))).toEqual([]);
  });

  it("reaches every state of the chart", () => {
    const all = Object.keys(machine.states).sort();
    // The second comes soon to what the first does not, which comes soon to all others.
    const walks = [quick[1] as Walk, ...quick];
    expect([...statesOn(walks, all)].sort()).toEqual(all);
  });

  it.each([
    ["without checks that are named", quick[0] as Walk],
    ["with levels", quick[4] as Walk],
    ["with fixes", plainWalks.find(({ most, policy }) => most === 2 && policy.maxFixTasksPerOriginal === 2) as Walk],
  ])("names states of the exploration alike only if they go on alike: %s", (_, walk) => {
    expect(unlikeIn(walk)).toEqual([]);
  });
});
