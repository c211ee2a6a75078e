import { describe, expect, it } from "vitest";
import { Policy } from "../../src/model/policy.ts";
import type { TimedRunRecord } from "../../src/model/record.ts";
import type { Executor } from "../../src/ports/executor.ts";
import type { Ports } from "../../src/ports/ports.ts";
import { openQuestions } from "../../src/runtime/open-questions.ts";
import { failedReply, scriptedExecutor } from "../../src/testing/scripted-executor.ts";
import { answered } from "../support/answered.ts";
import { goOn, newRun } from "../support/memory-run.ts";

const plan = "# Tasks\n\n- [ ] 1.1 First\n- [ ] 1.2 Second\n";
const policy = { recovery: ["repair" as const], maxTotalAttempts: 4 };
const execute: Executor = async ({ taskId, role }) =>
  role === "operator" ? "ESCALATE: all I know | which way" : failedReply(taskId, "boom");

/** The records of a run whose person answers so. */
async function recorded(person: NonNullable<Ports["person"]> = async () => null): Promise<TimedRunRecord[]> {
  const made = newRun(plan);
  const executors = { executor: execute, verifier: execute, operator: execute };
  await goOn(made, execute, { policy, ports: { executors, person } });
  return made.records;
}
const isAnswer = (record: TimedRunRecord): boolean => record.type === "answered" && record.effect === "askPerson";
const openIn = (records: readonly TimedRunRecord[]) =>
  openQuestions([{ at: 0, policy: Policy.parse(policy), records }]);
const question = [{ key: "1.1#1/askPerson", task: "1.1", root: "1.1", about: "repair" }];

describe("openQuestions", () => {
  it("finds a question from where it is put, until it is answered", async () => {
    const records = await recorded(async ({ task }) => (task === "1.1" ? { kind: "decided", decision: "skip" } : null));
    const at = records.findIndex(isAnswer);
    expect(at).toBeGreaterThan(3);
    for (let length = 0; length <= at; length += 1) {
      expect(openIn(records.slice(0, length))).toEqual(length === at ? question : []);
    }
    expect(openIn(records.slice(0, at + 1))).toEqual([]);
  });

  it("keeps one open that nobody has answered, or only with the end of the run", async () => {
    expect(openIn(await recorded())).toEqual(question);
    expect(openIn(await recorded(async () => ({ kind: "decided", decision: "stop" })))).toEqual(question);
  });

  it("knows none where a later start has left the turn", async () => {
    const records = await recorded();
    expect(openIn([...records, { type: "reset", at: 0, task: "1.1" }])).toEqual([]);
    const strange = { at: 0, ...answered("9.9#1/verify", { kind: "accepted" }) };
    expect(openIn([...records.slice(0, -1), strange])).toEqual([]);
  });

  it("knows none in a run that asks nothing", async () => {
    const made = newRun(plan);
    await goOn(made, scriptedExecutor());
    expect(openIn(made.records)).toEqual([]);
    expect(openQuestions([])).toEqual([]);
  });
});
