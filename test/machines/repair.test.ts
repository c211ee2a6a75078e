import { describe, expect, it } from "vitest";
import { createActor, fromPromise, toPromise } from "xstate";
import { createRepairMachine, type RepairInput, type RepairOutcome } from "../../machines/repair.ts";
import type { Repair } from "../../src/model/directive.ts";
import { noEscalation } from "../../src/model/escalation.ts";
import type { RunEvent } from "../../src/model/event.ts";
import { noLimits } from "../../src/model/limits.ts";
import { restore } from "../../src/runtime/restore.ts";
import { pending, report, send, start } from "../../src/runtime/step.ts";
import type { StepState } from "../../src/runtime/step-state.ts";
import { failingChecks } from "../support/failing-checks.ts";
import { answerOfOperator, type OperatorFate } from "../support/play-task.ts";

const machine = createRepairMachine();
const before: Repair[] = [{ task: "1.3", directive: { strategy: "retry", adjustment: "use bash" } }];
const input: RepairInput = { task: "1.3.1", root: "1.3", attempt: "1.3.1#2", budget: 1, repairs: before };

/** A repair to its end, with its state through JSON before every answer. */
function play(given: RepairInput, ...answers: readonly OperatorFate[]) {
  const first = start(machine, given);
  let { state } = first;
  const events: RunEvent[] = [...first.events];
  const asked: unknown[] = [];
  const left = [...answers];
  for (let effect = pending(machine, state)[0]; effect !== undefined; effect = pending(machine, state)[0]) {
    asked.push(effect.input);
    const stored = restore(machine, JSON.parse(JSON.stringify(state)));
    const step = report(
      machine,
      stored,
      effect.key,
      answerOfOperator(left.shift() ?? "escalate", given.task, asked.length),
    );
    events.push(...step.events);
    state = step.state;
  }
  return { outcome: state.output as RepairOutcome, status: state.status, asked, events };
}

describe("repair machine", () => {
  it("asks the operator once, with the directives that were followed before", () => {
    const { asked, outcome, events } = play(input, "retry");
    expect(asked).toEqual([
      {
        ...{ key: "1.3.1#2/askOperator", task: "1.3.1", root: "1.3", round: 1, refusal: null },
        ...{ budget: 1, repairs: before, escalation: noEscalation, maxEvidence: 8000, limits: noLimits },
      },
    ]);
    expect(outcome).toEqual({ kind: "directed", directive: { strategy: "retry", adjustment: "adjustment 1" } });
    expect(events).toEqual([]);
  });

  it("asks once more when an answer cannot be followed, and says why", () => {
    const { asked, outcome, events } = play(input, "malformed", "prune");
    expect(asked).toMatchObject([
      { key: "1.3.1#2/askOperator", round: 1, refusal: null },
      { key: "1.3.1#2/askAgain", round: 2, refusal: "reason 1" },
    ]);
    expect(outcome).toMatchObject({ kind: "directed", directive: { strategy: "prune" } });
    expect(events).toEqual([{ type: "repair.refused", task: "1.3.1", reason: "reason 1" }]);
  });

  it("escalates after a second answer that cannot be followed", () => {
    const { asked, outcome, events } = play(input, "malformed", "malformed", "retry");
    expect(asked).toHaveLength(2);
    const directive = { strategy: "escalate", tried: "the operator's answers: reason 2", decision: "" };
    expect(outcome).toEqual({ kind: "directed", directive });
    expect(events.map(({ type }) => type)).toEqual(["repair.refused", "repair.refused"]);
  });

  it("escalates without asking when no budget is left", () => {
    const { asked, outcome } = play({ ...input, budget: 0 });
    expect(asked).toEqual([]);
    const directive = { strategy: "escalate", tried: "1 directives of the repair operator", decision: "" };
    expect(outcome).toEqual({ kind: "directed", directive });
  });

  it("takes a task for its own root, and for one without repairs, unless it is told otherwise", () => {
    const { asked } = play({ task: "1.3", attempt: "1.3#1", budget: 2 }, "escalate");
    expect(asked).toMatchObject([{ root: "1.3", repairs: [], limits: noLimits }]);
  });

  it("shows the operator what has failed, as much of it as it is told to", () => {
    const { failing, evidence } = failingChecks("login", "logout");
    const escalation = { ...noEscalation, failing, evidence, best: { vitest: 2 } };
    const { asked } = play({ ...input, escalation, maxEvidence: 2000 }, "malformed", "retry");
    expect(asked).toMatchObject([
      { round: 1, escalation, maxEvidence: 2000 },
      { round: 2, escalation, maxEvidence: 2000 },
    ]);
  });

  it("is not moved by what is said to the run while it asks", () => {
    const { state } = start(machine, input);
    for (const type of ["pause", "resume", "cancel"] as const) {
      expect(send(machine, state, { type }).state.nodes).toEqual(state.nodes);
    }
  });

  it("works as any actor, and says so when it was created without ports", async () => {
    const asked: unknown[] = [];
    const provided = machine.provide({
      actors: {
        askOperator: fromPromise(async ({ input: question }) => {
          asked.push(question);
          return answerOfOperator(asked.length === 1 ? "malformed" : "decompose2", "1.3", 1);
        }) as never,
      },
    });
    const actor = createActor(provided, { input });
    const events: RunEvent[] = [];
    actor.on("*", (event) => events.push(event));
    actor.start();
    expect(await toPromise(actor)).toMatchObject({ kind: "directed", directive: { strategy: "decompose" } });
    expect(asked).toMatchObject([{ round: 1 }, { round: 2 }]);
    expect(events.map(({ type }) => type)).toEqual(["repair.refused"]);
    const bare = createActor(createRepairMachine(), { input });
    bare.subscribe({ error: () => {} });
    bare.start();
    await expect(toPromise(bare)).rejects.toMatchObject({
      code: "effect-not-provided",
      message: "Cannot perform effect `askOperator`, expected the machine to be created with effects",
    });
  });
});

describe("repair machine, explored exhaustively", () => {
  const answers: readonly OperatorFate[] = [
    ...(["retry", "decompose2", "decompose3", "prune", "escalate", "malformed", "denied"] as const),
  ];
  /** Every state on every way, by the answers that lead there. */
  const ways = (budget: number): (readonly [string, StepState])[] => {
    const walk = (state: StepState, way: string): (readonly [string, StepState])[] => {
      const effect = pending(machine, state)[0];
      const further = effect === undefined ? [] : answers;
      return [
        [way, state] as const,
        ...further.flatMap((fate) =>
          walk(
            report(machine, state, effect?.key as string, answerOfOperator(fate, "1.3.1", 1)).state,
            `${way} ${fate}`.trim(),
          ),
        ),
      ];
    };
    return walk(start(machine, { ...input, budget }).state, "");
  };
  const ends = [0, 1, 2].flatMap(ways).filter(([, { status }]) => status === "done");

  it("reaches every state but the one that is left at once", () => {
    const seen = new Set([0, 1].flatMap(ways).map(([, { nodes }]) => nodes[""]?.value));
    expect([...seen].sort()).toEqual(
      Object.keys(machine.states)
        .filter((name) => name !== "checkingBudget")
        .sort(),
    );
  });

  it("asks at most twice, and always ends with a directive or a limit of the run", () => {
    expect(Math.max(...ends.map(([way]) => way.split(" ").length))).toBe(2);
    expect(new Set(ends.map(([, { output }]) => (output as RepairOutcome).kind))).toEqual(
      new Set(["directed", "denied"]),
    );
    const strategies = ends.flatMap(([, { output }]) => {
      const outcome = output as RepairOutcome;
      return outcome.kind === "directed" ? [outcome.directive.strategy] : [];
    });
    expect(new Set(strategies)).toEqual(new Set(["retry", "decompose", "prune", "escalate"]));
  });

  it("follows what was answered last", () => {
    for (const [way, { output }] of ends) {
      const last = way.split(" ").at(-1) as OperatorFate | "";
      if (last === "" || last === "malformed") {
        expect(output).toMatchObject({ kind: "directed", directive: { strategy: "escalate", decision: "" } });
      } else {
        expect(output).toEqual(answerOfOperator(last, "1.3.1", 1));
      }
    }
  });
});
