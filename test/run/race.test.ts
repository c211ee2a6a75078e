import { expect, it } from "vitest";
import { readPolicy } from "../../src/model/policy.ts";
import type { RunRecord } from "../../src/model/record.ts";
import { apply } from "../../src/run/apply.ts";
import { eventsOf } from "../../src/run/events-of.ts";
import { newRun } from "../../src/run/new-run.ts";

const chosen: RunRecord = {
  type: "answered",
  effect: "chooseTask",
  key: "run#1/chooseTask",
  answer: { kind: "task", root: "1.1", current: "1.1" },
};
const begun = (attempt: number): Extract<RunRecord, { type: "delegated" }> => ({
  ...{ type: "delegated", key: `1.1#${attempt}`, task: "1.1", role: "executor", attempt, retries: 0, elapsedMs: 0 },
  ...{ level: "race", race: { first: 1, of: 2 } },
});
const raced: RunRecord = {
  ...{ type: "answered", effect: "delegate", key: "1.1#1/lane" },
  answer: { kind: "raced", outcome: "failed", content: null },
};
const over: RunRecord = { type: "answered", effect: "delegate", key: "1.1#1/delegate", answer: { kind: "replied" } };

const after = (...records: readonly RunRecord[]) => {
  const state = newRun(1);
  for (const record of records) apply(state, record);
  return state;
};

it("continues with the first attempt of a race if none is named", () => {
  const { turn, trees } = after(chosen, begun(1), begun(2), raced, over);
  expect([turn.races, turn.taken, turn.unanswered]).toEqual([{}, { "1.1": 1 }, {}]);
  expect(turn.claims).toEqual({ "1.1#1": "claimed", "1.1#2": "judged" });
  expect(trees["1.1"]?.escalation).toMatchObject({ races: 2, failures: 1 });
});

it("returns nothing for a race without attempts", () => {
  expect(after(chosen, raced).turn.races).toEqual({});
});

it("returns the end of each attempt, and which is taken", () => {
  const state = after(chosen, begun(1), begun(2), raced, over);
  const told = (record: RunRecord) => eventsOf(state, readPolicy({ race: 2 }), record);
  expect(told(raced)).toEqual([{ type: "task.raced", task: "1.1", attempt: 1, outcome: "failed" }]);
  expect(told({ ...over, answer: { kind: "replied", attempt: 2 } } as RunRecord)).toEqual([
    { type: "race.ended", task: "1.1", attempt: 2 },
  ]);
  expect(told(over)).toEqual([]);
});

it("charges the usage of a stopped attempt to the race", () => {
  const stopped: RunRecord = {
    ...{ type: "answered", effect: "delegate", key: "1.1#2/lane", usage: { costUsd: 1.5, inputTokens: 10 } },
    answer: { kind: "raced", outcome: "stopped", content: null },
  };
  const { costs, costUsd, tokens } = after(
    chosen,
    { ...begun(1), rung: "race" },
    { ...begun(2), rung: "race" },
    stopped,
  );
  expect([costUsd, tokens, costs.race]).toEqual([1.5, 10, { delegations: 2, costUsd: 1.5, tokens: 10 }]);
});
