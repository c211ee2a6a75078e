/** Worker of a fleet. The executor does the work of a contract task. Kills itself when told to. */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DBOS } from "@dbos-inc/dbos-sdk";
import { readFleet, sayToRun } from "../../../src/hosts/dbos/fleet.ts";
import { startWorker } from "../../../src/hosts/dbos/worker.ts";
import { actOn, editedBy, type HostTask, replyOf } from "../../../src/testing/host.ts";

export interface FleetWorkerSetup {
  readonly task: HostTask;
  readonly queue: string;
  readonly executor: string;
  readonly folder: string;
  readonly delegated: string;
  readonly deaths: string;
}

const setup = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as FleetWorkerSetup;
const { task, queue, executor, folder, delegated, deaths } = setup;
const linesIn = (path: string): string[] => readFileSync(path, "utf8").split("\n");

if (task.isKilled === true) {
  const runStep = DBOS.runStep.bind(DBOS);
  DBOS.runStep = (act, ...how) =>
    runStep(
      async () => {
        const made = await act();
        const { records = [] } = (made ?? {}) as { records?: readonly { type: string; key?: string }[] };
        const key = records.find(({ type }) => type === "answered")?.key;
        if (key === undefined || linesIn(deaths).includes(key)) return made;
        // The answer is not stored yet, so another process repeats the effect.
        appendFileSync(deaths, `${key}\n`);
        process.kill(process.pid, "SIGKILL");
        return await new Promise<never>(() => {});
      },
      ...how,
    );
}

await startWorker({
  ...{ queue, folder, slots: 4, leaseMs: 900, pollMs: 50 },
  executors: {
    [executor]: async (delegation) => {
      const { key, prompt, spec } = delegation;
      appendFileSync(delegated, `${JSON.stringify({ key, prompt })}\n`);
      const [run] = (await readFleet(queue)).runs.filter(({ branch }) => branch === `fixpoint/${executor}`);
      for (const event of task.words?.[key] ?? []) await sayToRun(queue, run?.run ?? "", event);
      const act = actOn(task, delegation);
      const plan = join(spec, "tasks.md");
      if ((act.edits ?? []).length > 0) writeFileSync(plan, editedBy(act, readFileSync(plan, "utf8")));
      return replyOf(act);
    },
  },
});
process.stdout.write("ready\n");
