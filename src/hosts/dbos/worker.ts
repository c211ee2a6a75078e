import { randomUUID } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { homedir, hostname } from "node:os";
import { join } from "node:path";
import { makeFolder } from "../../adapters/files/folder.ts";
import { refused } from "../../adapters/files/refused.ts";
import { endProcesses } from "../../adapters/processes/end-processes.ts";
import { identifyProcess } from "../../adapters/processes/process-identity.ts";
import { readPolicy } from "../../model/policy.ts";
import { checkExecutors } from "../node/executors/resolve-executors.ts";
import type { ExecutorChoice } from "../node/run-options.ts";
import { type Beats, beatOf, doze } from "./beats.ts";
import { openCheckouts, removeCheckouts } from "./checkout.ts";
import { coordinate, type Engine } from "./coordinate.ts";
import { type Purse, performJob } from "./perform-job.ts";
import {
  type FleetAnswer,
  type FleetJob,
  type FleetMessage,
  type FleetRun,
  inbox,
  jobQueue,
  runQueue,
  workflows,
} from "./protocol.ts";
import {
  configOf,
  type Database,
  daySpent,
  findRun,
  fleetVersion,
  nextDay,
  openQueue,
  patient,
  spentToday,
} from "./sdk.ts";

export interface WorkerOptions {
  /** Address of the database, `postgres://…`. */
  readonly queue: string;
  /** Executors by the names that runs give them. */
  readonly executors: Readonly<Record<string, ExecutorChoice>>;
  /** Number of jobs that a process does at a time for each executor (1 by default). */
  readonly slots?: number;
  /** Absolute folder for checkouts (`~/.cache/fixpoint-fleet` by default). */
  readonly folder?: string;
  /** Milliseconds without a beat after which a worker counts as dead (30 000 by default). */
  readonly leaseMs?: number;
  /** Time between two reads of the queues, in milliseconds (1000 by default). */
  readonly pollMs?: number;
  /** Maximum number of attempts at a time for a repository (no limit by default). */
  readonly perRepository?: number;
  /** Maximum number of attempts at a time for each executor, on all machines (no limit by default). */
  readonly perExecutor?: number;
  /** Maximum dollars per day (UTC) for each executor (no limit by default). */
  readonly perDay?: number;
}

/** A running worker. */
export interface Worker {
  readonly id: string;
  /** Take no more work, and leave unfinished work to other workers. */
  stop(): Promise<void>;
}

const leaving = new Error("leaving");

/**
 * Take part in a fleet: coordinate runs, and do jobs for some executors. A process can have one worker.
 *
 * @throws {InputError} `queue-invalid`, `executor-not-found`, `preset-unknown`, `command-unreadable`
 * @throws {EnvironmentError} `engine-missing`, `queue-unreachable`, `queue-newer`, `file-refused`
 * @see docs/fleet.md
 */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { queue, executors, slots = 1, leaseMs = 30_000, pollMs = 1000, perDay = null } = options;
  const root = options.folder ?? join(homedir(), ".cache", "fixpoint-fleet");
  const id = `${hostname()}-${process.pid}-${randomUUID().slice(0, 8)}`;
  const folder = join(root, id);
  const { permissions } = readPolicy({});
  for (const executor of Object.values(executors)) {
    checkExecutors(
      { executor },
      { workspace: root, permissions, commands: [], onLeftOut: () => {}, onDoubt: () => {} },
    );
  }
  refused("create", folder, () => makeFolder(folder, 0o700));
  const opened = await openQueue(queue).catch((error: unknown) => {
    rmSync(folder, { recursive: true });
    throw error;
  });
  for (const gone of deadIn(root)) {
    await endProcesses({ mark: markOf(gone) });
    await removeCheckouts(root, gone);
  }
  const { DBOS } = opened.sdk;
  const version = fleetVersion();
  const query = patient({ query: (...asked) => opened.database.query(...asked) });
  const checkouts = openCheckouts(root, id);
  const purse = purseIn(query, perDay);
  const place = { checkouts, folder, mark: markOf(id), executors, purse };
  const atWork = new Map<string, AbortController>();
  const runs = new Map<string, ReturnType<typeof findRun>>();
  const runOf = async (run: string): Promise<FleetRun> => {
    const known = runs.get(run) ?? findRun(opened.client, run);
    runs.set(run, known);
    known.catch(() => runs.delete(run));
    const found = await known;
    if (found === null) throw new Error(`Cannot find the run ${run} of a job`);
    return found.submitted;
  };
  const engineOf = (run: string): Engine => ({
    step: (act) => DBOS.runStep(act, { name: "happening" }),
    receive: async (timeoutMs) => DBOS.recv<FleetMessage>(inbox, { timeoutSeconds: timeoutMs / 1000 }),
    find: async (job) => {
      const [found] = await opened.client.listWorkflows({ workflowIDs: [job], loadOutput: false });
      return (found?.input?.[0] as FleetJob | undefined) ?? null;
    },
    enqueue: async (workflowID, job, open) => {
      await opened.client.enqueue(
        {
          ...{ workflowName: workflows.job, queueName: jobQueue(job.executor), workflowID, appVersion: version },
          // A run with fewer open tasks is served first, so that a small run does not wait for large runs.
          ...{ priority: open, queuePartitionKey: job.repo },
        },
        job,
      );
    },
    drop: (job) => void opened.client.cancelWorkflow(job).catch(() => {}),
    show: async (shown) => {
      const sql =
        "insert into fixpoint.runs (id, shown) values ($1, $2) on conflict (id) do update set shown = $2, at = now()";
      await query(sql, [run, JSON.stringify(shown)]);
    },
  });
  const queues = [runQueue, ...Object.keys(executors).map(jobQueue)];
  DBOS.setConfig({
    ...configOf(queue, opened),
    ...{ executorID: id, applicationVersion: version },
    listenQueues: queues,
    // fixpoint schedules nothing, so poll once a day.
    schedulerPollingIntervalMs: 86_400_000,
  });
  DBOS.registerWorkflow(
    async (run: FleetRun) => {
      const name = DBOS.workflowID ?? "";
      return coordinate(name, run, engineOf(name), { checkouts, folder });
    },
    { name: workflows.run },
  );
  DBOS.registerWorkflow(
    async (job: FleetJob) => {
      const name = DBOS.workflowID ?? "";
      const controller = new AbortController();
      const answer = await DBOS.runStep(
        async (): Promise<FleetAnswer> => {
          atWork.set(name, controller);
          try {
            const given = { job, run: await runOf(job.run) };
            return await performJob(name, given, place, controller.signal);
          } catch (error) {
            // Never answer if this worker stops: then another worker does the job.
            if (controller.signal.reason === leaving) await new Promise<never>(() => {});
            throw error;
          } finally {
            atWork.delete(name);
          }
        },
        { name: "job" },
      );
      await DBOS.send<FleetMessage>(job.run, { kind: "answer", answer }, inbox, name);
    },
    { name: workflows.job },
  );
  const facts = {
    ...{ host: hostname(), ...(identifyProcess(process.pid) ?? { pid: process.pid, pidStart: null }) },
    ...{ executors: Object.keys(executors), slots, version, perDay, leaseMs },
  };
  const beats: Beats = beatOf(opened, { id, facts, atWork });
  await opened.client.registerQueue(runQueue, { minPollingIntervalMs: pollMs, onConflict: "always_update" });
  for (const name of Object.keys(executors)) {
    await opened.client.registerQueue(jobQueue(name), {
      ...{ minPollingIntervalMs: pollMs, onConflict: "always_update" },
      ...limitsOf(slots, options),
    });
  }
  await beats.beat();
  const dozing = doze({ query, id, version, queues, pollMs, launch: () => DBOS.launch(), rest: () => DBOS.shutdown() });
  beats.start();
  const leaveJobs = (): void => {
    for (const controller of atWork.values()) controller.abort(leaving);
  };
  return {
    id,
    stop: async () => {
      // Abort the jobs first, and those that begin meanwhile: a system shutdown also ends the agents, which would
      // count as failed attempts.
      leaveJobs();
      await dozing.stop();
      await beats.stop();
      leaveJobs();
      await DBOS.shutdown({ deregister: true }).catch(() => {});
      await opened.close();
      await removeCheckouts(root, id);
    },
  };
}

/** Variables of all processes that a worker starts for its jobs. */
const markOf = (worker: string) => ({ FIXPOINT_WORKER: worker });

/** Ids of workers that had their checkouts below `root` and were killed on this machine. */
function deadIn(root: string): readonly string[] {
  const here = `${hostname()}-`;
  return readdirSync(root).filter((name) => {
    const [, pid] = name.startsWith(here) ? (/^(\d+)-[\da-f]{8}$/.exec(name.slice(here.length)) ?? []) : [];
    return pid !== undefined && identifyProcess(Number(pid)) === null;
  });
}

/**
 * Limits of a queue. Workers with a limit per executor take turns at the queue; with a limit per repository, a
 * repository is chosen at random.
 */
function limitsOf(slots: number, { perExecutor, perRepository }: WorkerOptions) {
  const most = perExecutor ?? Number.POSITIVE_INFINITY;
  return {
    workerConcurrency: Math.min(slots, most),
    ...(perExecutor !== undefined && { globalConcurrency: most }),
    ...(perRepository !== undefined && { partitionConcurrency: Math.min(perRepository, most) }),
  };
}

const purseIn = (query: Database["query"], perDay: number | null): Purse => ({
  held: async (executor) => {
    const found = await query("select until, why from fixpoint.blocked where executor = $1", [executor]);
    const until = Number(found.rows[0]?.["until"] ?? 0);
    if (until > Date.now()) return { until, why: String(found.rows[0]?.["why"]) };
    if (perDay === null) return null;
    const spent = (await query(spentToday)).rows.find((row) => row["executor"] === executor);
    if (Number(spent?.["usd"] ?? 0) < perDay) return null;
    return { until: nextDay(), why: daySpent(perDay) };
  },
  hold: async (executor, until, why) => {
    const sql = `insert into fixpoint.blocked values ($1, $2, $3)
      on conflict (executor) do update set until = greatest(blocked.until, $2), why = $3`;
    await query(sql, [executor, Math.round(until), why]);
  },
  spend: async (executor, usd) => {
    const sql = `insert into fixpoint.spent values ((now() at time zone 'utc')::date, $1, $2)
      on conflict (day, executor) do update set usd = spent.usd + $2`;
    await query(sql, [executor, usd]);
  },
});
