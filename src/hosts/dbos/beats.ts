import { setTimeout } from "node:timers/promises";
import { type FleetMessage, inbox, workflows } from "./protocol.ts";
import type { Database, Opened } from "./sdk.ts";

/** Heartbeat of a worker. Each beat also puts the work of dead workers back into the queues. */
export interface Beats {
  beat(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

interface Beating {
  readonly id: string;
  /** The row of the worker. The worker counts as alive for `leaseMs` after a beat. */
  readonly facts: { readonly leaseMs: number };
  readonly atWork: ReadonlyMap<string, AbortController>;
}

/** Number of workers that may die during a job before the job is given up. */
const mostDeaths = 5;
/** Id of the database lock under which one worker at a time looks for dead workers. */
const lock = 4_971_001;

export function beatOf({ client, database }: Opened, { id, facts, atWork }: Beating): Beats {
  let timer: NodeJS.Timeout | null = null;
  let beating: Promise<void> = Promise.resolve();
  const beat = async (): Promise<void> => {
    const sql = "insert into fixpoint.workers (id, facts) values ($1, $2) on conflict (id) do update set at = now()";
    await database.query(sql, [id, JSON.stringify(facts)]);
  };
  const endUnwanted = async (): Promise<void> => {
    if (atWork.size === 0) return;
    const workflowIDs = [...atWork.keys()];
    const found = await client.listWorkflows({ workflowIDs, loadInput: false, loadOutput: false });
    for (const { workflowID, status, executorId } of found) {
      if (status !== "PENDING" || executorId !== id) atWork.get(workflowID)?.abort(new Error("unwanted"));
    }
  };
  const takeOver = async (): Promise<void> => {
    const holder = await database.connect();
    try {
      await holder.query("begin");
      const { rows } = await holder.query("select pg_try_advisory_xact_lock($1) as held", [lock]);
      if (rows[0]?.["held"] === true) await resumeLost();
    } finally {
      await holder.query("commit").catch(() => {});
      holder.release();
    }
  };
  const resumeLost = async (): Promise<void> => {
    // Delete the rows of dead workers; a worker that hung and continues inserts its row again. Keep the row of this
    // worker, however late its beat is.
    const sql = `delete from fixpoint.workers
      where at <= now() - make_interval(secs => (facts->>'leaseMs')::float / 1000) and id <> $1`;
    await database.query(sql, [id]);
    const alive = new Set(
      (await database.query("select id from fixpoint.workers")).rows.map((row) => String(row["id"])),
    );
    const pending = await client.listWorkflows({ status: "PENDING", loadInput: false, loadOutput: false });
    for (const { workflowID, workflowName, queueName, executorId = "" } of pending) {
      if (alive.has(executorId) || queueName === undefined) continue;
      const isPoison = workflowName === workflows.job && (await deathsOf(workflowID)) >= mostDeaths;
      if (isPoison) await giveUp(workflowID);
      else await client.resumeWorkflow(workflowID, { queueName });
    }
  };
  const deathsOf = async (job: string): Promise<number> => {
    const sql = `insert into fixpoint.deaths values ($1, 1)
      on conflict (job) do update set times = deaths.times + 1 returning times`;
    return Number((await database.query(sql, [job])).rows[0]?.["times"]);
  };
  const giveUp = async (job: string): Promise<void> => {
    const run = job.slice(0, job.indexOf("/"));
    const message = `${mostDeaths} workers have died while they did ${job}`;
    const hint = "Find out why this job ends its workers, then say `retry` or `stop`";
    await client.cancelWorkflow(job);
    const answer = { job, error: { code: "job-deadly", message, hint } };
    await client.send<FleetMessage>(run, { kind: "answer", answer }, inbox, job);
  };
  const tick = async (): Promise<void> => {
    try {
      await beat();
      await endUnwanted();
      await takeOver();
    } catch {
      // Ignore the error: an unreachable database comes back, or other workers take over.
    }
  };
  return {
    beat,
    start: () => {
      timer = setInterval(() => {
        beating = beating.then(tick);
      }, facts.leaseMs / 3);
    },
    stop: async () => {
      if (timer !== null) clearInterval(timer);
      await beating;
      await database.query("delete from fixpoint.workers where id = $1", [id]).catch(() => {});
    },
  };
}

interface Dozing {
  readonly query: Database["query"];
  readonly id: string;
  readonly version: string;
  readonly queues: readonly string[];
  readonly pollMs: number;
  readonly launch: () => Promise<void>;
  readonly rest: () => Promise<void>;
}

/** Time that the engine keeps running without work, and time between two checks, in milliseconds. */
const [stayMs, lookMs] = [20_000, 2000];

const open = `select exists (
  select from dbos.workflow_status where status = 'ENQUEUED' and queue_name = any($1) and application_version = $2
) or exists (select from dbos.workflow_status where status = 'PENDING' and executor_id = $3) as open`;

/**
 * Launch the engine once there is work, and shut it down some time after the last work, since a running engine polls
 * the database many times a second.
 */
export function doze({ query, id, version, queues, pollMs, launch, rest }: Dozing): {
  readonly stop: () => Promise<void>;
} {
  const stopped = new AbortController();
  const { signal } = stopped;
  const work = async (): Promise<void> => {
    let isAwake = false;
    for (let last = 0; !signal.aborted; ) {
      const { rows } = await query(open, [queues, version, id]);
      const now = Date.now();
      if (rows[0]?.["open"] === true) last = now;
      if (!isAwake && last === now) {
        await launch();
        isAwake = true;
      } else if (isAwake && now - last > stayMs) {
        await rest();
        isAwake = false;
      }
      await setTimeout(isAwake ? lookMs : 2 * pollMs, undefined, { signal }).catch(() => {});
    }
  };
  const working = work();
  return {
    stop: async () => {
      stopped.abort();
      await working;
    },
  };
}
