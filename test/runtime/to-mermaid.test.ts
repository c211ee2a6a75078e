import { describe, expect, it } from "vitest";
import { createMachine, fromPromise } from "xstate";
import { leanChart } from "../../src/runtime/lean-chart.ts";
import { toMermaid } from "../../src/runtime/to-mermaid.ts";

/** Has every kind of state and way that charts have. */
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
  it("draws states, and what leads from each to the next, without what is said where an answer leads to the same", () => {
    expect(toMermaid(chart())).toBe(`stateDiagram-v2
  %% heard in every state: cancel, note
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

  it("draws nothing of what a chart does not have", () => {
    const plain = createMachine({ initial: "one", states: { one: { on: { go: "two" } }, two: {} } });
    expect(toMermaid(plain)).toBe("stateDiagram-v2\n  [*] --> one\n  one --> two: go\n");
  });

  it("draws every way on its own when all is asked for, with descriptions, stops and what every state hears", () => {
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
  it("tells which states are ends, which are passed at once, and which stops a state can come to", () => {
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

  it("has stops as states when they are to be drawn", () => {
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
    "takes %s for a stop, where it is an end",
    (name) => {
      const drawn = (type: "final" | "atomic") =>
        leanChart(createMachine({ initial: "one", states: { one: { on: { go: name } }, [name]: { type } } as never }));
      expect(drawn("final").states).toEqual([{ name: "one", isFinal: false, isPassed: false, stops: [name] }]);
      expect(drawn("final").edges).toEqual([]);
      expect(drawn("atomic").states.map((state) => state.name)).toEqual(["one", name]);
    },
  );
});
