import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { createRunMemory } from "../../../src/effects/run-memory.ts";
import { readPolicy } from "../../../src/model/policy.ts";
import { endRun } from "../../../src/runtime/conclude.ts";
import { openSession, outcomeOf, performable, takeAnswer } from "../../../src/runtime/session.ts";
import { specMachine } from "../../../src/runtime/spec-machine.ts";
import { start } from "../../../src/runtime/step.ts";
import type { Host, HostResult } from "../../../src/testing/host.ts";
import { memoryStore } from "../../../src/testing/memory-store.ts";
import type { Done, Job, Papers } from "./perform-effect.ts";
import { workPorts } from "./work-ports.ts";

/** Every effect in a process of its own, which is killed behind it. All that is kept is JSON. */
export const processHost: Host = async (task) => {
  const { state } = start(specMachine(), { policy: readPolicy(task.policy), turn: 1 });
  let charts = openSession(state, { now: 0 }).charts;
  let { state: run } = createRunMemory();
  let papers: Papers = { tasks: task.tasks, progress: "", members: [], known: null };
  let runs: Job["runs"] = [];
  const delegated: HostResult["delegated"][number][] = [];
  const lost = new Set<string>();
  for (let [effect] = performable(charts); effect !== undefined; [effect] = performable(charts)) {
    const done = await inProcess({ task, run, papers, effect, runs });
    delegated.push(...done.delegated);
    if (task.isKilled === true && !lost.has(effect.key)) {
      // What it has done to the documents is lost with its answer.
      lost.add(effect.key);
      continue;
    }
    const memory = createRunMemory({ state: run });
    for (const record of done.records) memory.apply(record);
    const move = takeAnswer({ charts, run: memory.state }, effect, done.answer);
    memory.record(move.records, { facts: done.facts });
    charts = JSON.parse(JSON.stringify(move.charts)) as typeof charts;
    run = JSON.parse(JSON.stringify(memory.state)) as typeof run;
    ({ papers, runs } = done);
  }
  const outcome = outcomeOf(charts);
  if (outcome === null) throw new Error("Expected the run to have ended");
  const store = memoryStore(papers.tasks, papers.progress);
  const memory = createRunMemory({ state: run });
  const { ports } = workPorts(task, store, () => {});
  const { ended } = await endRun({ ...ports, attempts: memory, known: { text: papers.known } }, outcome);
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
