import { describe, expect, it } from "vitest";
import { type AnyStateMachine, createActor, toPromise } from "xstate";
import { createEscalationMachine } from "../../machines/escalation.ts";
import { createPullRequestMachine } from "../../machines/pull-request.ts";
import { pending, report, start } from "../../src/runtime/step.ts";
import { machines } from "../support/native-lives.ts";

const all = { ...machines, escalation: createEscalationMachine };
type Name = keyof typeof all;

const wrong: readonly (readonly [Name, unknown, string])[] = [
  ["task", undefined, "expected object"],
  ["task", {}, "root: "],
  ["task", { root: "1.1", grouped: "yes" }, "grouped: "],
  ["task", { root: "1.1", spent: { "1.1": 2 } }, "spent.1.1: "],
  ["task", { rooot: "1.1" }, 'Unrecognized key: "rooot"'],
  ["repair", { task: "1.1", attempt: "1.1#1" }, "budget: "],
  ["repair", { task: "1.1", attempt: "1.1#1", budget: -1 }, "budget: "],
  ["escalation", { task: 1 }, "task: "],
  ["escalation", { level: "pivot" }, 'Unrecognized key: "level"'],
  ["batch", { turn: 1 }, "members: "],
  ["batch", { turn: 1, members: [{ root: "1.1" }] }, "members.0.current: "],
  ["spec", { turn: 0 }, "turn: "],
  ["spec", { plan: "tasks.md" }, 'Unrecognized key: "plan"'],
];

const errorOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

describe("an answer", () => {
  it("has the type of the effect that its key names", () => {
    const { state } = start(machines.task(), { root: "1.1" });
    const answer = () => report(machines.task(), state, "1.1#1/delegate", { kind: "replied" });
    // @ts-expect-error no answer to this effect
    const other = () => report(machines.task(), state, "1.1#1/delegate", { kind: "accepted" });
    expect(answer().effects).toMatchObject([{ name: "verify" }]);
    expect(errorOf(other)).toMatchObject({ code: "answer-malformed" });
    for (const effect of pending(machines.task(), state)) {
      if (effect.name !== "verify") continue;
      // @ts-expect-error no answer to this effect
      report(machines.task(), state, effect.key, { kind: "replied" });
    }
  });
});

describe("a machine that is started with what it does not take", () => {
  it.each(wrong)("says what is wrong, in a step and as an actor: %s, %j", async (name, input, told) => {
    const refusal = {
      code: "input-malformed",
      blame: "input",
      message: expect.stringContaining(`Cannot start the machine \`${name}\`, expected another input: `),
    };
    const error = errorOf(() => start<AnyStateMachine>(all[name](), input)) as Error;
    expect(error).toMatchObject(refusal);
    expect(error.message).toContain(told);
    const actor = createActor(all[name]() as AnyStateMachine, { input });
    actor.subscribe({ error: () => {} });
    await expect(toPromise(actor.start())).rejects.toMatchObject(refusal);
  });

  it.each(["task", "batch", "spec", "escalation"] as const)("says what is wrong with a policy: %s", (name) => {
    const input = { root: "1.1", turn: 1, members: [] };
    const { root, turn, members } = input;
    const given = { task: { root }, batch: { turn, members }, spec: {}, escalation: {} }[name];
    const error = errorOf(() => start<AnyStateMachine>(all[name](), { ...given, policy: { maxTaskIterations: 0 } }));
    expect(error).toMatchObject({ code: "policy-invalid", blame: "input" });
  });

  it("takes what is undefined as not given, and a plan and a pull request without any input", () => {
    const undefinedAll = { root: "1.1", current: undefined, spent: undefined, policy: undefined, guidance: undefined };
    expect(start(machines.task(), undefinedAll).effects).toMatchObject([{ key: "1.1#1/delegate" }]);
    expect(start(machines.spec(), undefined).effects).toMatchObject([{ key: "run#1/chooseTask" }]);
    expect(start(createPullRequestMachine(), undefined).effects).toMatchObject([{ key: "pr#1.1/pushBranch" }]);
  });
});
