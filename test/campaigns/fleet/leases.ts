import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { readFleet } from "../../../src/hosts/dbos/fleet.ts";
import type { BatchResult, Surroundings } from "../campaign.ts";
import { type Execution, openGround } from "./ground.ts";
import { areOver, executionsOf, inspect, jobsOf, showOf, submit, submitAll } from "./runs.ts";

export async function suspendWorker(surroundings: Surroundings): Promise<BatchResult> {
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
    while (ground.executions().length === 1) await setTimeout(100);
    suspended?.kill("SIGCONT");
    while (!(await areOver(ground, runs))) await setTimeout(100);
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

export async function loseMachine(surroundings: Surroundings): Promise<BatchResult> {
  const size = { specs: 2, tasks: 2, attemptS: 3, leaseS: 30 };
  const ground = await openGround(surroundings, size);
  try {
    const first = ground.start();
    const runs = await submitAll(ground, size);
    while (ground.executions().length < 2) await setTimeout(20);
    ground.start();
    await setTimeout(5000);
    const killedAt = Date.now();
    await ground.kill(first);
    while (!(await areOver(ground, runs))) await setTimeout(500);
    const seconds = Math.round((Date.now() - killedAt) / 1000);
    const violations = [
      ...(await inspect(ground, size, runs, [])),
      ...(seconds <= 90 ? [] : [`the runs have ended after ${seconds} s`]),
    ];
    const counts = { kills: 1, runs: runs.length, tasks: size.specs * size.tasks };
    return { counts, violations, notes: [`runs of a lost machine have ended after ${seconds} s`] };
  } finally {
    await ground.remove();
  }
}

export async function workLong(surroundings: Surroundings): Promise<BatchResult> {
  const size = { specs: 1, tasks: 1, attemptS: 90 };
  const ground = await openGround(surroundings, size);
  try {
    for (let worker = 0; worker < 3; worker += 1) ground.start();
    const runs = await submitAll(ground, size);
    while (!(await areOver(ground, runs))) await setTimeout(500);
    const { executions } = executionsOf(ground);
    const violations = [
      ...(await inspect(ground, size, runs, [])),
      ...(executions === 1 ? [] : [`an attempt of thirty leases was begun ${executions} times`]),
    ];
    return { counts: { kills: 0, runs: 1, tasks: 1 }, violations };
  } finally {
    await ground.remove();
  }
}

/** A small spec must get at least a third of all jobs until it ends, although large specs were submitted earlier. */
export async function queueBehind(surroundings: Surroundings): Promise<BatchResult> {
  const large = 8;
  const ground = await openGround(surroundings, { specs: large + 1, tasks: 40, lastTasks: 5, attemptS: 0.1, slots: 1 });
  try {
    const first = ground.start();
    const runs = await submitAll(ground, { specs: large });
    while (ground.executions().length < 3) await setTimeout(100);
    await ground.kill(first);
    ground.start();
    while (ground.executions().length < 6) await setTimeout(100);
    const before = (await jobsOf(ground)).length;
    const small = await submit(ground, `s${large + 1}`);
    while (!(await areOver(ground, [small]))) await setTimeout(500);
    const begun = await jobsOf(ground);
    const own = begun.filter((job) => job.startsWith(`${small}/`));
    const all = begun.lastIndexOf(own.at(-1) ?? "") + 1 - before;
    const found = (await readFleet(ground.database.url)).runs;
    const ended = found.filter(({ run, outcome }) => runs.includes(run) && outcome !== null).length;
    const violations = [
      ...(all <= 3 * own.length ? [] : [`${all} jobs were begun for ${own.length} of a small spec`]),
      ...(ended === 0 ? [] : [`${ended} large specs have ended before the small one`]),
    ];
    return { counts: { kills: 1, runs: 1, "own jobs": own.length, "jobs meanwhile": all }, violations };
  } finally {
    await ground.remove();
  }
}

export async function giveUp(surroundings: Surroundings): Promise<BatchResult> {
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
