import type { RunEnded } from "../../../src/model/event.ts";
import type { PolicyInput } from "../../../src/model/policy.ts";
import { createRunControl } from "../../../src/runtime/run-control.ts";
import { continueRun, type MemoryRun, newRun } from "../../support/memory-run.ts";
import { createWatch, type Watch } from "./executors.ts";
import type { Order } from "./order.ts";
import { orderedPorts } from "./ordered-ports.ts";
import { planOf, type Scenario } from "./scenario.ts";

export interface Played {
  readonly made: MemoryRun;
  readonly ended: RunEnded | null;
  readonly watch: Watch;
}

export const policyOf = ({ maxParallel, recovery }: Scenario): PolicyInput => ({
  maxParallel,
  recovery,
  maxTaskIterations: 5,
  repairBudget: 2,
});

export async function play(
  scenario: Scenario,
  order: Order,
  made: MemoryRun = newRun(planOf(scenario), "## Learnings\n"),
): Promise<Played> {
  const watch = createWatch();
  const heard = createRunControl();
  const abort = new AbortController();
  let settled = false;
  for (const { behind, word } of scenario.words) {
    void after(behind, order).then(() => {
      if (word.type === "abort") abort.abort(new Error("interrupted"));
      else heard.send(word);
    });
  }
  const run = continueRun(made, async () => "", {
    policy: policyOf(scenario),
    ports: orderedPorts(scenario, order, made.store, watch),
    heard,
    signal: abort.signal,
    ...(scenario.killedAt !== null && { killedAt: made.records.length + scenario.killedAt }),
  }).finally(() => {
    settled = true;
  });
  // Resume a paused run only if nothing else can happen.
  let wasPaused = 0;
  const ended = await order.drive(run, () => {
    const pauses = made.events.filter(({ type }) => type === "run.paused").length;
    if (pauses === wasPaused || settled) return false;
    wasPaused = pauses;
    heard.send({ type: "resume" });
    return true;
  });
  return { made, ended, watch };
}

async function after(turns: number, order: Order): Promise<void> {
  for (let left = turns; left >= 0; left--) await order.turn("time goes by");
}
