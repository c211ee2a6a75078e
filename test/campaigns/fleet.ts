import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { howToGetIt, postgresFolder } from "../../examples/demo/fleet/postgres.mjs";
import { readFleet } from "../../src/hosts/dbos/fleet.ts";
import { readSteps } from "../../src/hosts/dbos/open-run.ts";
import { submitSpec } from "../../src/hosts/dbos/submit.ts";
import { randomFrom } from "../../src/model/random.ts";
import type { BatchResult, Campaign, Surroundings } from "./campaign.ts";
import { type Execution, type Ground, openGround, type Size } from "./fleet/ground.ts";

/** Fleets over a Postgres of their own. */
export const fleetCampaign: Campaign = {
  name: "fleet",
  about: "fleets whose workers are killed and suspended, and whose Postgres crashes, end every run as if undisturbed",
  counts: "kills",
  trials: [
    {
      name: "workers killed at random, Postgres restarted",
      // CI kills a worker in the demo.
      ...{ full: Number.POSITIVE_INFINITY, short: 0, batch: 1 },
      run: ({ seed, from }, surroundings) => killWorkers(seed + from, surroundings),
    },
    {
      name: "a worker suspended for two leases",
      ...{ full: 10, short: 0, batch: 1 },
      run: (_, surroundings) => suspendWorker(surroundings),
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

async function killWorkers(seed: number, surroundings: Surroundings): Promise<BatchResult> {
  const { next } = randomFrom(seed);
  const size = { specs: 4, tasks: 5, attemptS: 0.3 };
  const ground = await openGround(surroundings, size);
  try {
    const crashes: number[] = [];
    const fleet = Array.from({ length: workers }, ground.start);
    const runs = await submitAll(ground, size);
    for (let round = 1; !(await areOver(ground, runs)); round += 1) {
      await setTimeout(1000 + next() * 2500);
      const at = Math.floor(next() * fleet.length);
      await ground.kill(fleet[at] as ChildProcess);
      fleet[at] = ground.start();
      if (round % 8 !== 0) continue;
      crashes.push(Date.now());
      ground.database.crash();
    }
    const violations = await inspect(ground, size, runs, crashes);
    const executions = ground.executions();
    const repeated = executions.length - new Set(executions.map(({ spec, key }) => `${spec} ${key}`)).size;
    const counts = { runs: runs.length, tasks: size.specs * size.tasks, executions: executions.length, repeated };
    return { counts: { kills: ground.killed.size, crashes: crashes.length, ...counts }, violations };
  } finally {
    await ground.remove();
  }
}

/** What a suspended worker does once it goes on counts for nothing. */
async function suspendWorker(surroundings: Surroundings): Promise<BatchResult> {
  const size = { specs: 1, tasks: 1, attemptS: 3 };
  const ground = await openGround(surroundings, size);
  try {
    const fleet = [ground.start(), ground.start()];
    const runs = await submitAll(ground, size);
    while (ground.executions().length === 0) await setTimeout(20);
    const [first] = ground.executions() as readonly [Execution];
    const suspended = fleet.find(({ pid }) => pid === first.worker);
    suspended?.kill("SIGSTOP");
    await setTimeout(7000);
    suspended?.kill("SIGCONT");
    while (!(await areOver(ground, runs))) await setTimeout(100);
    // What it was at work on is brought to its end, too.
    await setTimeout(4000);
    const accepted = Number(showOf(ground, "s1", "done-1.1"));
    const violations = [
      ...(await inspect(ground, size, runs, [], [first.worker])),
      ...(accepted === first.pid ? ["the work of the suspended worker was accepted"] : []),
    ];
    return { counts: { kills: 0, suspended: 1, runs: 1 }, violations };
  } finally {
    await ground.remove();
  }
}

/** A job that no worker survives ends its run with a question, and no other. */
async function giveUp(surroundings: Surroundings): Promise<BatchResult> {
  const ground = await openGround(surroundings, { specs: 1, tasks: 1, attemptS: 0, isDeadly: true });
  let isOver = false;
  const keepAlive = async (): Promise<void> => {
    while (!isOver) {
      const worker = ground.start();
      if (worker.exitCode === null) await once(worker, "exit");
    }
  };
  const alive = keepAlive();
  try {
    await submitAll(ground, { specs: 1 });
    let text = "";
    while (text === "") {
      await setTimeout(200);
      text = (await readFleet(ground.database.url)).runs[0]?.questions[0]?.text ?? "";
    }
    const deaths = ground.executions().length;
    const violations = [
      ...(text.startsWith("5 workers have died while they did ") ? [] : [`asked ${text}`]),
      ...(deaths === 5 ? [] : [`${deaths} workers have died`]),
    ];
    return { counts: { kills: deaths, "given up": 1, runs: 1 }, violations };
  } finally {
    isOver = true;
    await ground.remove();
    await alive;
  }
}

async function submitAll({ database, workspace }: Ground, { specs }: Pick<Size, "specs">): Promise<readonly string[]> {
  const runs: string[] = [];
  for (let spec = 1; spec <= specs; spec += 1) {
    const how = { queue: database.url, workspace, spec: `s${spec}`, executors: { executor: "agent" } };
    runs.push((await submitSpec({ ...how, agree: () => true })).run);
  }
  return runs;
}

async function areOver({ database }: Ground, runs: readonly string[]): Promise<boolean> {
  const found = (await readFleet(database.url)).runs;
  const questions = found.flatMap((run) => run.questions.map(({ text }) => `${run.run}: ${text}`));
  if (questions.length > 0) throw new Error(`Expected no question, not: ${questions.join("; ")}`);
  return runs.every((run) => found.some((each) => each.run === run && each.outcome !== null));
}

const showOf = ({ git }: Ground, spec: string, file: string): string => {
  git("fetch", "-q", "origin");
  return git("show", `refs/remotes/origin/fixpoint/${spec}:${file}`);
};

/** What does not hold of runs that are over. @param suspended Workers that were taken for dead. */
async function inspect(
  ground: Ground,
  { specs, tasks }: Size,
  runs: readonly string[],
  crashes: readonly number[],
  suspended: readonly number[] = [],
): Promise<string[]> {
  const found = (await readFleet(ground.database.url)).runs;
  const endings = found.filter(({ outcome }) => outcome !== "complete").map((run) => `${run.run} ended ${run.outcome}`);
  const lost = Array.from({ length: specs }, (_, at) => `s${at + 1}`).flatMap((spec) => {
    const plan = showOf(ground, spec, `specs/${spec}/tasks.md`);
    const ticked = plan.split("- [x] 1.").length - 1;
    const isDone = Array.from({ length: tasks }, (_unused, at) => showOf(ground, spec, `done-1.${at + 1}`)).every(
      Boolean,
    );
    return plan.includes("[ ]") || !isDone || ticked < tasks ? [`${spec} has lost something:\n${plan}`] : [];
  });
  const passed = new Map<string, number>();
  for (const [at, run] of runs.entries()) {
    for (const { at: when, records = [] } of await readSteps(ground.database.url, run)) {
      for (const record of records) {
        if (record.type === "answered" && record.effect === "recordPass") {
          passed.set(`s${at + 1} ${record.key.replace(/#.*/, "")}`, when);
        }
      }
    }
  }
  const executions = ground.executions();
  const late = executions.filter(
    ({ spec, key, began }) => began > (passed.get(`${spec} ${key.replace(/#.*/, "")}`) ?? Number.POSITIVE_INFINITY),
  );
  const unexplained = executions.filter(({ spec, key, worker, began }, at) => {
    const again = executions.slice(at + 1).find((other) => other.spec === spec && other.key === key);
    if (again === undefined) return false;
    const isKilled = ground.killed.has(worker) || suspended.includes(worker);
    return !isKilled && !crashes.some((crash) => crash > began && crash < again.began);
  });
  return [
    ...endings,
    ...lost,
    ...late.map(({ spec, key }) => `${spec} ${key} was begun after its pass`),
    ...unexplained.map(({ spec, key }) => `${spec} ${key} was repeated though nothing was killed`),
  ];
}
