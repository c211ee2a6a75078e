import { describe, expect, it } from "vitest";
import { createMachine, fromPromise } from "xstate";
import { leanChart } from "../../src/runtime/lean-chart.ts";
import { toMermaid } from "../../src/runtime/to-mermaid.ts";

const chart = () =>
  createMachine({
    id: "small",
    initial: "asking",
    on: { cancel: { target: ".cancelled" }, restart: { target: ".asking" }, note: { actions: "keep" } },
    states: {
      asking: {
        description: "Waits: for an answer",
        invoke: { src: "ask" },
        on: {
          "xstate.done.actor.ask": [{ guard: "isYes", target: "judging" }, { target: "exhausted" }],
          skip: { target: "judging" },
        },
      },
      judging: {
        always: [
          { guard: { type: "isGood" }, target: "working" },
          { guard: "isFair", target: "working" },
          { target: "asking" },
        ],
      },
      working: {
        invoke: { src: "work" },
        on: {
          "xstate.done.actor.*": { target: "done" },
          "hint;given": [{ guard: "isNew#1", target: "judging" }, { target: "judging" }],
          progress: { actions: "keep" },
        },
      },
      resting: { on: { "xstate.done.actor.nap": "done" } },
      done: { type: "final" },
      exhausted: { type: "final" },
      cancelled: { type: "final" },
      checkpoint: { type: "final" },
    },
  }).provide({
    actors: { ask: fromPromise(async () => null), work: fromPromise(async () => null) },
    actions: { keep: () => {} },
  });

describe("toMermaid", () => {
  it("draws states and transitions, without the labels of answers that lead to the same state", () => {
    expect(toMermaid(chart())).toBe(`stateDiagram-v2
  %% accepted in every state: cancel, note
  [*] --> asking
  asking: asking<br/>⇥ exhausted
  asking --> judging: [isYes]
  judging --> working: [isGood]<br/>[isFair]
  judging --> asking: otherwise
  working --> done: one done
  working --> judging: [isNew,1]<br/>hint,given
  working --> working: progress
  resting --> done
  everywhere: in every state
  everywhere --> asking: restart
  done --> [*]
`);
  });

  it("draws nothing that a chart does not have", () => {
    const plain = createMachine({ initial: "one", states: { one: { on: { go: "two" } }, two: {} } });
    expect(toMermaid(plain)).toBe("stateDiagram-v2\n  [*] --> one\n  one --> two: go\n");
  });

  it("draws every transition separately in the full form, with descriptions, stops and all events", () => {
    expect(toMermaid(chart(), { full: true })).toBe(`stateDiagram-v2
  [*] --> asking
  asking: asking
  note right of asking: Waits, for an answer
  judging: judging
  working: working
  resting: resting
  done: done
  exhausted: exhausted
  cancelled: cancelled
  checkpoint: checkpoint
  asking --> judging: ask done [isYes]
  asking --> exhausted: ask done
  asking --> judging: skip
  judging --> working: [isGood]
  judging --> working: [isFair]
  judging --> asking: otherwise
  working --> done: one done
  working --> judging: hint,given [isNew,1]
  working --> judging: hint,given
  working --> working: progress
  resting --> done: nap done
  asking --> cancelled: cancel
  judging --> cancelled: cancel
  working --> cancelled: cancel
  resting --> cancelled: cancel
  asking --> asking: restart
  judging --> asking: restart
  working --> asking: restart
  resting --> asking: restart
  done --> [*]
  exhausted --> [*]
  cancelled --> [*]
  checkpoint --> [*]
`);
  });
});

describe("leanChart", () => {
  it("lists final states, transient states, and the stops of each state", () => {
    const { initial, states } = leanChart(chart());
    expect(initial).toBe("asking");
    expect(states).toEqual([
      { name: "asking", isFinal: false, isPassed: false, stops: ["exhausted"] },
      { name: "judging", isFinal: false, isPassed: true, stops: [] },
      { name: "working", isFinal: false, isPassed: false, stops: [] },
      { name: "resting", isFinal: false, isPassed: false, stops: [] },
      { name: "done", isFinal: true, isPassed: false, stops: [] },
    ]);
  });

  it("has stops as states if they are drawn", () => {
    const { states, edges, everywhere, heard } = leanChart(chart(), { drawsStops: true });
    expect(states.map(({ name }) => name)).toEqual(Object.keys(chart().root.states));
    expect(states.flatMap(({ stops }) => stops)).toEqual([]);
    expect(edges).toContainEqual({ from: "asking", to: "exhausted", labels: ["otherwise"] });
    expect(everywhere).toEqual([
      { to: "cancelled", labels: ["cancel"] },
      { to: "asking", labels: ["restart"] },
    ]);
    expect(heard).toEqual([{ to: "small", labels: ["note"] }]);
  });

  it.each(["exhausted", "gated", "cancelled", "checkpoint", "replanned"])(
    "treats %s as a stop if it is final",
    (name) => {
      const drawn = (type: "final" | "atomic") =>
        leanChart(createMachine({ initial: "one", states: { one: { on: { go: name } }, [name]: { type } } as never }));
      expect(drawn("final").states).toEqual([{ name: "one", isFinal: false, isPassed: false, stops: [name] }]);
      expect(drawn("final").edges).toEqual([]);
      expect(drawn("atomic").states.map((state) => state.name)).toEqual(["one", name]);
    },
  );
});
