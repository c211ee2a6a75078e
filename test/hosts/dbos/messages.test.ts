import { describe, expect, it } from "vitest";
import { sendMessage } from "../../../src/hosts/dbos/fleet.ts";
import { createFailures, openSteps, Stopped, type Word } from "../../../src/hosts/dbos/fleet-steps.ts";
import { type FleetMessage, type ShownQuestion, workflows } from "../../../src/hosts/dbos/protocol.ts";
import type { Opened } from "../../../src/hosts/dbos/sdk.ts";
import type { PersonEvent, Speaker } from "../../../src/model/person-event.ts";

const person: Speaker = { kind: "terminal", terminal: "/dev/pts/1", process: "sh (7)", pid: 7 };
const program: Speaker = { ...person, kind: "program", terminal: null };
const decided = (decision: "retry" | "skip" | "stop"): PersonEvent => ({ type: "decision.made", decision });
const advice: PersonEvent = { type: "guidance.given", text: "Use tabs" };

const ofRun: ShownQuestion = { key: "step 5", task: null, text: "Cannot fetch" };
const ofTask: ShownQuestion = { key: "1.2#1", task: "1.2", text: "Which database?" };

interface How {
  readonly by?: Speaker;
  readonly task?: string;
}

function openWith(questions: readonly ShownQuestion[], status = "PENDING") {
  const sent: FleetMessage[] = [];
  const client = {
    listWorkflows: async () => [{ workflowName: workflows.run, status }],
    send: async (_run: string, message: FleetMessage) => void sent.push(message),
  };
  const database = { query: async () => ({ rows: [{ shown: { questions } }] }) };
  const opened = { client, database } as unknown as Opened;
  const say = (event: PersonEvent, { by = person, task }: How = {}) =>
    sendMessage(opened, "shop-1", { event, by, task });
  return { sent, say };
}

describe("a message to a run of a fleet", () => {
  it.each([
    ["a decision about the run", [ofRun], decided("retry"), {}, { to: "step 5" }],
    ["a decision of a program about the run", [ofRun], decided("stop"), { by: program }, { to: "step 5" }],
    ["a decision about a task", [ofTask], decided("skip"), {}, { to: "1.2#1" }],
    ["a decision about the named task", [ofRun, ofTask], decided("retry"), { task: "1.2" }, { to: "1.2#1" }],
    ["guidance that answers a task", [ofRun, ofTask], advice, {}, { to: "1.2#1" }],
    ["guidance that answers nothing", [ofRun], advice, {}, {}],
  ] as const)("names the question that it answers: %s", async (_, questions, event, how, expected) => {
    const { sent, say } = openWith(questions);
    await say(event, how);
    expect(sent).toEqual([
      {
        kind: "word",
        event,
        by: { ...((how as { by?: Speaker }).by ?? person), word: expect.any(String) },
        ...expected,
      },
    ]);
  });

  it("that is a stop without a question ends the run", async () => {
    const { sent, say } = openWith([]);
    await say(decided("stop"));
    expect(sent).toMatchObject([{ event: { type: "cancel" } }]);
  });

  it.each([
    ["a run that has ended", [ofTask], decided("retry"), { status: "SUCCESS" }, "run-unknown"],
    ["no question", [], decided("retry"), {}, "nothing-to-decide"],
    ["no question of that task", [ofTask], decided("stop"), { task: "1.1" }, "nothing-to-decide"],
    ["guidance for a task that asks nothing", [ofTask], advice, { task: "1.1" }, "nothing-to-decide"],
    ["a skip of the whole run", [ofRun], decided("skip"), {}, "nothing-to-decide"],
    ["a program that answers for a person", [ofTask], decided("skip"), { by: program }, "person-needed"],
  ] as const)("is refused: %s", async (_, questions, event, { status, ...how }: { status?: string } & How, code) => {
    const { sent, say } = openWith(questions, status);
    await expect(say(event, how)).rejects.toMatchObject({ code });
    expect(sent).toEqual([]);
  });
});

describe("a failed step of a fleet's run", () => {
  function failing(problems: string[], messages: ((asked: readonly ShownQuestion[]) => Omit<Word, "kind" | "by">)[]) {
    const words: Word[] = [];
    const asked: ShownQuestion[] = [];
    const steps = openSteps({
      step: (act) => act(),
      standing: { left: async () => ({}) },
      workshop: { open: async () => ({}) as never, recall: () => {} },
      failures: createFailures(),
      words,
      receive: async () => {
        const next = messages.shift();
        if (next === undefined) throw new Error("Waits for a message");
        words.push({ kind: "word", by: person, ...next(asked) });
      },
      ask: async (questions) => void asked.push(...questions),
    });
    const made = steps.make(async () => {
      const problem = problems.shift();
      if (problem !== undefined) throw new Error(problem);
      return { branch: "made" };
    });
    return { made, words, asked };
  }

  it("is repeated after a retry, and other messages are kept for the next step", async () => {
    const kept = [{ event: advice }, { event: decided("skip"), to: "1.2#1" }, { event: { type: "pause" } as const }];
    const { made, words } = failing(
      ["first"],
      [...kept.map((word) => () => word), ([question]) => ({ event: decided("retry"), to: question?.key ?? "" })],
    );
    expect(await made).toMatchObject({ branch: "made" });
    expect(words).toMatchObject(kept);
  });

  it("is not repeated after the second answer to an earlier question", async () => {
    const retry = ([question]: readonly ShownQuestion[]) => ({ event: decided("retry"), to: question?.key ?? "" });
    const { made, asked } = failing(["first", "second"], [retry, retry]);
    await expect(made).rejects.toThrow("Waits for a message");
    expect(asked.map(({ text }) => text)).toEqual(["Error: first", "Error: second"]);
    expect(new Set(asked.map(({ key }) => key)).size).toBe(2);
  });

  it.each([
    ["stop", decided("stop")],
    ["cancel", { type: "cancel" }],
  ] as const)("ends the run after %s", async (_, event) => {
    const { made } = failing(["first"], [([question]) => ({ event, to: question?.key ?? "" })]);
    await expect(made).rejects.toBeInstanceOf(Stopped);
  });
});
