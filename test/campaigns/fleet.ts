import type { ChildProcess } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import { howToGetIt, postgresFolder } from "../../examples/demo/fleet/postgres.mjs";
import { randomFrom } from "../../src/model/random.ts";
import type { BatchResult, Campaign, Surroundings } from "./campaign.ts";
import { openGround, type Size } from "./fleet/ground.ts";
import { giveUp, loseMachine, queueBehind, suspendWorker, workLong } from "./fleet/leases.ts";
import {
  areOver,
  executionsOf,
  inspect,
  isUnderWay,
  missingIn,
  recordsOf,
  showOf,
  submit,
  submitAll,
} from "./fleet/runs.ts";

export const fleetCampaign: Campaign = {
  name: "fleet",
  about: "fleets whose workers are killed and suspended, and whose Postgres crashes, end every run as if undisturbed",
  counts: "kills",
  // Skip this in CI, whose demo already kills a worker.
  trials: [
    {
      name: "workers killed at random, Postgres restarted",
      ...{ full: Number.POSITIVE_INFINITY, short: 0, batch: 1 },
      run: ({ seed, from }, surroundings) =>
        killWorkers(seed + from, { specs: 4, tasks: 5, attemptS: 0.3, jobs: 12 }, surroundings),
    },
    {
      name: "many specs under kills and crashes",
      ...{ full: 4, short: 0, batch: 1, minutes: 60 },
      run: ({ seed, from }, surroundings) =>
        killWorkers(seed + from, { specs: 15, tasks: 20, attemptS: 0, jobs: 32 }, surroundings),
    },
    {
      name: "200 specs of 20 tasks under kills and crashes",
      ...{ full: 1, short: 0, batch: 1, minutes: 240 },
      run: ({ seed, from }, surroundings) =>
        killWorkers(seed + from, { specs: 200, tasks: 20, attemptS: 0, jobs: 80 }, surroundings),
    },
    {
      name: "batches whose answers come in another order after each kill",
      ...{ full: 3, short: 0, batch: 1, minutes: 30 },
      run: ({ seed, from }, surroundings) => reorder(seed + from, surroundings),
    },
    {
      name: "a worker suspended for two leases",
      ...{ full: 10, short: 0, batch: 1 },
      run: (_, surroundings) => suspendWorker(surroundings),
    },
    {
      name: "a machine that is gone for good",
      ...{ full: 3, short: 0, batch: 1 },
      run: (_, surroundings) => loseMachine(surroundings),
    },
    {
      name: "an attempt of thirty leases",
      ...{ full: 2, short: 0, batch: 1 },
      run: (_, surroundings) => workLong(surroundings),
    },
    {
      name: "a small spec behind large ones",
      ...{ full: 3, short: 0, batch: 1 },
      run: (_, surroundings) => queueBehind(surroundings),
    },
    {
      name: "a job that kills every worker",
      ...{ full: 5, short: 0, batch: 1 },
      run: (_, surroundings) => giveUp(surroundings),
    },
  ],
  hindrance: () => (postgresFolder() === undefined ? howToGetIt : null),
};

const workers = 4;

async function killWorkers(
  seed: number,
  { jobs, ...size }: Size & { readonly jobs: number },
  surroundings: Surroundings,
): Promise<BatchResult> {
  const { next } = randomFrom(seed);
  const ground = await openGround(surroundings, size);
  try {
    const crashes: number[] = [];
    const fleet = Array.from({ length: workers }, ground.start);
    const runs = await submitAll(ground, size);
    for (let round = 1; await isUnderWay(ground, runs, 1 + Math.floor(next() * jobs)); round += 1) {
      await setTimeout(next() * 500);
      const at = Math.floor(next() * fleet.length);
      await ground.kill(fleet[at] as ChildProcess);
      fleet[at] = ground.start();
      if (round % 8 !== 0) continue;
      crashes.push(Date.now());
      ground.database.crash();
    }
    const violations = await inspect(ground, size, runs, crashes);
    const counts = { runs: runs.length, tasks: size.specs * size.tasks, ...executionsOf(ground) };
    return { counts: { kills: ground.killed.size, crashes: crashes.length, ...counts }, violations };
  } finally {
    await ground.remove();
  }
}

/** Plan and records must equal those of an undisturbed run, whichever member ends first. */
async function reorder(seed: number, surroundings: Surroundings): Promise<BatchResult> {
  const { next } = randomFrom(seed);
  const size = { specs: 2, tasks: 20, batch: 4 };
  const ground = await openGround(surroundings, size);
  try {
    const fleet = [ground.start(), ground.start()];
    const disturbed = await submit(ground, "s1");
    while (await isUnderWay(ground, [disturbed], 1 + Math.floor(next() * 10))) {
      await setTimeout(next() * 500);
      const at = Math.floor(next() * fleet.length);
      await ground.kill(fleet[at] as ChildProcess);
      fleet[at] = ground.start();
    }
    const kills = ground.killed.size;
    const undisturbed = await submit(ground, "s2");
    while (!(await areOver(ground, [undisturbed]))) await setTimeout(500);
    const [plan, expected] = ["s1", "s2"].map((spec) => showOf(ground, spec, `specs/${spec}/tasks.md`));
    const [records, all] = [await recordsOf(ground, disturbed), await recordsOf(ground, undisturbed)];
    const violations = [
      ...(await inspect(ground, size, [disturbed, undisturbed], [])),
      ...(plan === expected ? [] : [`another plan:\n${plan}`]),
      ...missingIn(records, all).map((record) => `a record of no undisturbed run: ${record}`),
      ...missingIn(all, records).map((record) => `not recorded: ${record}`),
    ];
    return { counts: { kills, runs: 2, tasks: 2 * size.tasks, ...executionsOf(ground) }, violations };
  } finally {
    await ground.remove();
  }
}
