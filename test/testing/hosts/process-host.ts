import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createRunMemory } from "../../../src/effects/run-memory.ts";
import { readPolicy } from "../../../src/model/policy.ts";
import type { RunRecord } from "../../../src/model/record.ts";
import { endRun } from "../../../src/runtime/conclude.ts";
import { openSession } from "../../../src/runtime/session.ts";
import type { Host, HostResult } from "../../../src/testing/host.ts";
import { memoryStore } from "../../../src/testing/memory-store.ts";
import type { Done, Job, Papers } from "./perform-effect.ts";
import { workPorts } from "./work-ports.ts";

/** Kills the process of each effect. Only JSON survives: records and documents. */
export const processHost: Host = async (task) => {
  const policy = readPolicy(task.policy);
  const records: RunRecord[] = [];
  let papers: Papers = { tasks: task.tasks, progress: "", members: [] };
  let runs: Job["runs"] = [];
  const delegated: HostResult["delegated"][number][] = [];
  const lost = new Set<string>();
  const open = () => {
    const memory = createRunMemory({
      store: {
        append: (made) => void records.push(...(JSON.parse(JSON.stringify(made)) as RunRecord[])),
        writeOutput: () => {},
        readOutput: async () => "",
      },
    });
    for (const record of records) memory.apply(record);
    return {
      memory,
      session: openSession({ policy, state: memory.state, records: [...records], record: memory.record }),
    };
  };
  let { memory, session } = open();
  for (;;) {
    const [effect] = session.performable();
    if (effect === undefined) break;
    const done = await inProcess({ task, run: memory.state, papers, effect, runs });
    delegated.push(...done.delegated);
    if (task.isKilled === true && !lost.has(effect.key)) {
      // The kill loses the answer of the effect, and with it the changes to the documents.
      lost.add(effect.key);
      continue;
    }
    memory.record(done.records);
    session.take(effect, done.answer, { facts: done.facts });
    ({ papers, runs } = done);
    // Begins a new start for each effect, which reads the plan again, unless the run has ended.
    if (session.outcome() === null) ({ memory, session } = open());
  }
  const outcome = session.outcome();
  if (outcome === null) throw new Error("Expected the run to have ended");
  const store = memoryStore(papers.tasks, papers.progress);
  const { ports } = workPorts(task, store, () => {});
  const { ended } = await endRun({ ...ports, attempts: memory }, outcome, policy);
  return { outcome: ended.outcome, tasks: store.tasks.text, progress: store.log.text, delegated, kills: lost.size };
};

async function inProcess(job: Job): Promise<Done> {
  const program = join(process.env["FIXPOINT_BUILD_UNDER_TEST"] ?? "", "test/testing/hosts/perform-effect.js");
  const child = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "inherit"] });
  const closed = once(child, "close");
  child.stdin.end(JSON.stringify(job));
  for await (const line of createInterface({ input: child.stdout })) {
    child.kill("SIGKILL");
    await closed;
    return JSON.parse(line) as Done;
  }
  throw new Error("The process has ended without an answer");
}
