import { createActs } from "../../../src/effects/create-effects.ts";
import { createRunMemory } from "../../../src/effects/run-memory.ts";
import type { Effect } from "../../../src/model/effect.ts";
import { readPolicy } from "../../../src/model/policy.ts";
import type { RunRecord } from "../../../src/model/record.ts";
import type { AttemptFacts } from "../../../src/ports/attempt-record.ts";
import { endRun } from "../../../src/runtime/conclude.ts";
import { openSession } from "../../../src/runtime/session.ts";
import type { Host } from "../../../src/testing/host.ts";
import { memoryStore } from "../../../src/testing/memory-store.ts";
import { workPorts } from "./work-ports.ts";

export const sessionHost: Host = async (task) => {
  const store = memoryStore(task.tasks);
  const policy = readPolicy(task.policy);
  const known = { text: null };
  const records: RunRecord[] = [];
  const lost = new Set<string>();
  const { ports, delegated } = workPorts(task, store, (event) => process.session.hear({ event }));
  let process = begin();
  for (;;) {
    const [effect] = process.session.performable();
    if (effect === undefined) break;
    const { answer, facts } = await process.perform(effect);
    if (task.isKilled === true && !lost.has(effect.key)) {
      lost.add(effect.key);
      process = begin();
    } else if (process.session.waits(effect)) process.session.take(effect, answer, { facts });
  }
  const outcome = process.session.outcome();
  if (outcome === null) throw new Error("Expected the run to have ended");
  const { ended } = await endRun(process.whole, outcome, policy);
  return { outcome: ended.outcome, tasks: store.tasks.text, progress: store.log.text, delegated, kills: lost.size };

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
    const session = openSession({ policy, state: memory.state, records: [...records], record: memory.record });
    const perform = ({ name, input }: Effect) => {
      const act = acts[name as keyof typeof acts] as unknown as (
        of: unknown,
        signal: AbortSignal,
      ) => Promise<{ answer: unknown; facts?: AttemptFacts }>;
      return act(input, new AbortController().signal);
    };
    return { session, whole, perform };
  }
};
