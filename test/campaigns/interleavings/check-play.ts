import assert from "node:assert/strict";
import { readPlan } from "../../../src/markdown/document/plan-document.ts";
import { exitCodes, RunEnding } from "../../../src/model/event.ts";
import { Policy } from "../../../src/model/policy.ts";
import { asksPerson, sessionAlong } from "../../support/led.ts";
import { type Played, policyOf } from "./play.ts";
import type { Scenario } from "./scenario.ts";

/**
 * Invariants in any order of events: I8, I9, I10, I18, I20 and I21.
 *
 * @throws After a violation.
 */
export function checkPlay(scenario: Scenario, { made, ended, watch }: Played): void {
  assert.deepEqual(watch.overlaps, [], "I8: two executors work that must not work at the same time");
  assert.equal(watch.running.size, 0, "I20: an executor works after the end");
  checkAnswers(made.records);
  checkReplay(scenario, made.records);
  assert.ok(!made.events.some(({ type }) => type === "run.ended"), "I21: the end is among the events of the run");
  if (ended === null) return;
  assert.ok(RunEnding.options.includes(ended.outcome), "I21: the outcome is unknown");
  assert.equal(ended.exitCode, exitCodes[ended.outcome], "I21: the exit code does not match the outcome");
  assert.notEqual(ended.outcome, "environment", ended.error);
  const open = readPlan(made.store.tasks.text).tasks.filter(({ done }) => !done);
  if (ended.outcome !== "complete") return;
  assert.deepEqual(open, [], "I10: complete with open tasks");
  const passed = new Set(made.events.flatMap((event) => (event.type === "task.passed" ? [event.task] : [])));
  const closed = new Map(made.records.flatMap((record) => (record.type === "closed" ? [[record.fix, record.by]] : [])));
  const isAccounted = (id: string): boolean =>
    passed.has(id) ||
    made.records.some((record) => record.type === "planned" && record.plan.task === id) ||
    (closed.has(id) && isAccounted(closed.get(id) as string));
  const { tasks } = readPlan(made.store.tasks.text);
  assert.deepEqual(
    tasks.map(({ id }) => id).filter((id) => !isAccounted(id)),
    [],
    "I10: complete with a tick that nobody accepted",
  );
}

/** I9: an effect is answered once in a turn, except for repeated questions and decisions from the state. */
function checkAnswers(records: Played["made"]["records"]): void {
  let answered = new Set<string>();
  for (const record of records) {
    if (record.type !== "answered") continue;
    if (record.key.endsWith("chooseTask")) answered = new Set();
    const isDecided = record.effect === "decide" || record.effect === "nextPart";
    if (!asksPerson(record) && !record.key.includes("confirmCompletion") && !isDecided) {
      assert.ok(!answered.has(record.key), `I9: ${record.key} is answered twice`);
    }
    answered.add(record.key);
  }
}

/** I18: the records always replay to the same state. */
function checkReplay(scenario: Scenario, records: Played["made"]["records"]): void {
  const policy = Policy.parse(policyOf(scenario));
  const standing = (made: typeof records) => {
    const { charts, performable } = sessionAlong(policy, made);
    return JSON.stringify([charts.positions(), performable()]);
  };
  const [first, second] = [standing(records), standing(JSON.parse(JSON.stringify(records)))];
  if (first !== second) assert.deepEqual(JSON.parse(second), JSON.parse(first), "I18: the second replay differs");
}
