import assert from "node:assert/strict";
import * as fc from "fast-check";
import { readPlan } from "../../../src/markdown/document/plan-document.ts";
import { asyncProperty } from "../../support/properties/async-property.ts";
import { checkPlay } from "./check-play.ts";
import { anyOrder, askedOrder } from "./order.ts";
import { type Played, play } from "./play.ts";
import { calmScenarios, livelyScenarios } from "./scenario.ts";

export const ordersEach = { calm: 5, lively: 2 };

export const interleavingProperties = {
  calm: asyncProperty(
    "I25: every order leads to the same end, plan and log",
    30_000 / ordersEach.calm,
    fc.tuple(calmScenarios, fc.array(fc.scheduler(), { minLength: ordersEach.calm, maxLength: ordersEach.calm })),
    async ([scenario, schedulers]) => {
      const asked = await play(scenario, askedOrder);
      for (const scheduler of schedulers) {
        const played = await play(scenario, anyOrder(scheduler));
        checkPlay(scenario, played);
        assert.deepEqual(leftBy(played), leftBy(asked));
      }
      return asked.ended?.outcome ?? "killed";
    },
  ),
  lively: asyncProperty(
    "I8, I9, I10, I18, I21: whatever is said to a run, and whenever it is stopped or killed",
    20_000 / ordersEach.lively,
    fc.tuple(livelyScenarios, fc.scheduler()),
    async ([scenario, scheduler]) => {
      const order = anyOrder(scheduler);
      const first = await play(scenario, order);
      checkPlay(scenario, first);
      const passed = passedIn(first);
      const calm = { ...scenario, words: [], killedAt: null };
      const begun = first.made.records.length;
      const next = await play(calm, order, first.made);
      checkPlay(calm, next);
      const delegated = next.made.records
        .slice(begun)
        .flatMap((record) => (record.type === "delegated" ? [record.task] : []));
      assert.deepEqual(
        delegated.filter((task) => passed.has(task)),
        [],
        "I15: a task that has passed is done again",
      );
      return first.ended?.outcome ?? "killed";
    },
  ),
};

function passedIn({ made }: Played): ReadonlySet<string> {
  const ticked = readPlan(made.store.tasks.text).tasks.filter(({ done }) => done);
  const passed = new Set(made.events.flatMap((event) => (event.type === "task.passed" ? [event.task] : [])));
  return new Set(ticked.map(({ id }) => id).filter((id) => passed.has(id)));
}

const leftBy = ({ made, ended }: Played) => ({
  outcome: ended?.outcome,
  error: ended?.error,
  attempts: ended?.attempts,
  tasks: made.store.tasks.text,
  log: made.store.log.text,
  members: [...made.store.memberLogs],
});
