import { createActs } from "../../../src/effects/create-effects.ts";
import { createRunMemory } from "../../../src/effects/run-memory.ts";
import type { Effect } from "../../../src/model/effect.ts";
import { readPolicy } from "../../../src/model/policy.ts";
import type { RunRecord } from "../../../src/model/record.ts";
import type { AttemptFacts } from "../../../src/ports/attempt-record.ts";
import { endRun } from "../../../src/runtime/conclude.ts";
import { hear, type Move, openSession, outcomeOf, performable, takeAnswer } from "../../../src/runtime/session.ts";
import { specMachine } from "../../../src/runtime/spec-machine.ts";
import { start } from "../../../src/runtime/step.ts";
import type { Host } from "../../../src/testing/host.ts";
import { memoryStore } from "../../../src/testing/memory-store.ts";
import { workPorts } from "./work-ports.ts";

/**
 * A session that is performed step by step. Documents are outside, records and charts are kept; when it is killed,
 * everything else is gone.
 */
export const sessionHost: Host = async (task) => {
  const store = memoryStore(task.tasks);
  const known = { text: null };
  const records: RunRecord[] = [];
  const lost = new Set<string>();
  let { state: charts } = start(specMachine(), { policy: readPolicy(task.policy), turn: 1 });
  const { ports, delegated } = workPorts(task, store, (event) => process.say(event));
  let process = begin();
  for (let [effect] = performable(charts); effect !== undefined; [effect] = performable(charts)) {
    const done = await process.perform(effect);
    if (task.isKilled === true && !lost.has(effect.key)) {
      lost.add(effect.key);
      process = begin();
    } else if (performable(charts).some(({ key }) => key === effect?.key)) process.take(effect, done);
  }
  const outcome = await process.end();
  return { outcome, tasks: store.tasks.text, progress: store.log.text, delegated, kills: lost.size };

  function begin() {
    const memory = createRunMemory({
      store: {
        append: (made) => void records.push(...(JSON.parse(JSON.stringify(made)) as RunRecord[])),
        writeOutput: () => {},
        readOutput: async () => "",
      },
    });
    for (const record of records) memory.apply(record);
    const whole = { ...ports, attempts: memory, known };
    const acts = createActs(whole);
    const follow = ({ charts: after, records: made }: Move, facts?: AttemptFacts): void => {
      memory.record(made, { facts });
      charts = JSON.parse(JSON.stringify(after)) as typeof charts;
    };
    follow(openSession(charts, { now: 0 }));
    return {
      say: (event: Parameters<typeof hear>[1]["event"]) => follow(hear({ charts, run: memory.state }, { event })),
      perform: ({ name, input }: Effect) => {
        const act = acts[name] as (
          of: unknown,
          signal: AbortSignal,
        ) => Promise<{ answer: unknown; facts?: AttemptFacts }>;
        return act(input, new AbortController().signal);
      },
      take: (effect: Effect, { answer, facts }: { answer: unknown; facts?: AttemptFacts }) =>
        follow(takeAnswer({ charts, run: memory.state }, effect, answer), facts),
      end: async () => {
        const outcome = outcomeOf(charts);
        if (outcome === null) throw new Error("Expected the run to have ended");
        const { ended } = await endRun(whole, outcome);
        return ended.outcome;
      },
    };
  }
};
