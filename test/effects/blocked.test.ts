import { describe, expect, it } from "vitest";
import { createEffects } from "../../src/effects/create-effects.ts";
import { createRunMemory } from "../../src/effects/run-memory.ts";
import { withMemory } from "../../src/effects/with-memory.ts";
import type { EffectInput } from "../../src/model/effect.ts";
import { noEscalation } from "../../src/model/escalation.ts";
import { attemptsOn } from "../../src/model/ledger.ts";
import type { RunRecord } from "../../src/model/record.ts";
import type { PersonQuestion } from "../../src/ports/person.ts";
import type { Ports } from "../../src/ports/ports.ts";
import { memoryStore } from "../../src/testing/memory-store.ts";
import { type ScriptedAnswer, scriptedExecutor } from "../../src/testing/scripted-executor.ts";
import { scriptedShell } from "../../src/testing/scripted-shell.ts";
import { inputs } from "../support/effect-inputs.ts";
import { memoryPorts } from "../support/memory-run.ts";

const never = new AbortController().signal;

function world(said: readonly ScriptedAnswer[], more: Partial<Ports> = {}) {
  const records: RunRecord[] = [];
  const memory = createRunMemory({
    open: 1,
    store: { append: (made) => records.push(...made), writeOutput: () => {}, readOutput: async () => "" },
  });
  let runs = 0;
  const shell = {
    ...scriptedShell(),
    run: async (...given: Parameters<Ports["shell"]["run"]>) => {
      runs += 1;
      return scriptedShell().run(...given);
    },
  };
  const documents = memoryStore("- [ ] 1.1 First\n  - **Verify**: `check`\n");
  const base = memoryPorts(documents, scriptedExecutor({ "1.1": said }), shell);
  const effects = createEffects(withMemory({ ...base, ...more, attempts: memory }));
  const attempt = async (number = 1) => {
    await effects.delegate(inputs.delegate("1.1", number), never);
    return effects.verify(inputs.verify("1.1", number), never);
  };
  return { memory, records, documents, effects, attempt, runs: () => runs };
}

describe("verify of an attempt that asks a person", () => {
  it.each<[string, ScriptedAnswer]>([
    ["in its message", "I looked.\n\nBLOCKED: Which database?\nThe old or the new?\n\nTASK_COMPLETE"],
    [
      "beside it",
      { text: "TASK_COMPLETE", claim: { kind: "blocked", question: "Which database?\nThe old or the new?" } },
    ],
    [
      "beside it, whatever it ended with",
      { text: "", exitCode: 1, claim: { kind: "blocked", question: "Which database?\nThe old or the new?" } },
    ],
  ])("answers the question that stands %s, and runs nothing", async (_, said) => {
    const { attempt, runs } = world([said]);
    expect(await attempt()).toEqual({ kind: "blocked", question: "Which database?\nThe old or the new?" });
    expect(runs()).toBe(0);
  });

  it("spends no attempt, and counts for no failure", async () => {
    const { attempt, memory } = world(["BLOCKED: Which database?", "BLOCKED: Which database?"]);
    for (const number of [1, 2]) {
      await attempt(number);
      expect(attemptsOn(memory.ledger.tasks, "1.1")).toBe(0);
    }
    expect(memory.ledger.tasks["1.1"]).toMatchObject({ attempts: 2, waits: 2, retries: 0 });
    expect(memory.escalation("1.1")).toEqual(noEscalation);
    expect(memory.state.accepted).toEqual({});
  });

  it("takes back a tick that it has set", async () => {
    const made = world([
      () => {
        made.documents.tasks.text = made.documents.tasks.text.replace("[ ]", "[x]");
        return "BLOCKED: Which database?";
      },
    ]);
    expect(await made.attempt()).toMatchObject({ kind: "blocked" });
    expect(made.documents.tasks.text).toContain("[ ] 1.1");
  });

  it("spends none either by what is recorded", () => {
    const memory = createRunMemory();
    const delegated: RunRecord = {
      ...{ type: "delegated", key: "1.1#1", task: "1.1", role: "executor", attempt: 1, retries: 0, elapsedMs: 0 },
    };
    memory.apply(delegated);
    memory.apply({
      type: "answered",
      effect: "verify",
      key: "1.1#1/verify",
      answer: { kind: "blocked", question: "Which?" },
    });
    expect(attemptsOn(memory.ledger.tasks, "1.1")).toBe(0);
    expect(memory.escalation("1.1")).toEqual(noEscalation);
    expect([...memory.inFlight()]).toEqual([]);
  });
});

describe("askPerson", () => {
  const asking = (about: EffectInput<"askPerson">["about"], question: string | null): EffectInput<"askPerson"> => ({
    ...{ key: "1.1#1/askPerson", task: "1.1", root: "1.1", about, question, escalation: noEscalation },
    ...{ repairs: [], report: null },
  });

  it.each([
    [
      "blocked",
      "The executor of task 1.1 asks: Which database?",
      /^Answer it: fixpoint resume sample --guidance "…"\nHave it tried again: /,
    ],
    [
      "environment",
      "Three tasks in a row failed for the same reason; the last was 1.1: Which database?",
      /^Put it right first\. Have it tried again: fixpoint resume sample --decision retry\nLeave it out: .*\nEnd the run: .*$/,
    ],
  ] as const)("asks about what is %s", async (about, text, hint) => {
    const asked: PersonQuestion[] = [];
    const person: Ports["person"] = async (question) => {
      asked.push(question);
      return null;
    };
    for (const more of [{}, { person }]) {
      const answer = await world([], more).effects.askPerson(asking(about, "Which database?"), never);
      expect(answer).toEqual({ kind: "gate", reason: text, hint: expect.stringMatching(hint) });
    }
    expect(asked).toEqual([{ task: "1.1", current: "1.1", about, text }]);
  });

  it("asks even where no question is known", async () => {
    const { effects } = world([]);
    expect(await effects.askPerson(asking("blocked", null), never)).toMatchObject({
      reason: "The executor of task 1.1 asks: a person has to decide",
    });
    expect(await effects.askPerson(asking("environment", null), never)).toMatchObject({
      reason: expect.stringMatching(/the last was 1\.1: not known$/),
    });
  });

  it("gives the executor what the person says as guidance", async () => {
    const person: Ports["person"] = async () => ({ kind: "guided", text: "The old one" });
    const { effects, memory, records } = world([], { person });
    expect(await effects.askPerson(asking("blocked", "Which?"), never)).toEqual({
      kind: "guided",
      text: "The old one",
    });
    expect(memory.guidance("1.1")).toBe("The old one");
    expect(records.at(-1)).toMatchObject({ type: "answered", effect: "askPerson", key: "1.1#1/askPerson" });
  });
});
