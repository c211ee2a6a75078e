import { setTimeout } from "node:timers/promises";
import type { Database } from "./sdk.ts";

interface Dozing {
  readonly query: Database["query"];
  /** Name of this worker. */
  readonly id: string;
  readonly version: string;
  /** Queues that the worker takes from. */
  readonly queues: readonly string[];
  readonly pollMs: number;
  readonly launch: () => Promise<void>;
  readonly rest: () => Promise<void>;
}

/** How long the engine keeps running without work, and the time between two checks. */
const [stayMs, lookMs] = [20_000, 2000];

const open = `select exists (
  select from dbos.workflow_status where status = 'ENQUEUED' and queue_name = any($1) and application_version = $2
) or exists (select from dbos.workflow_status where status = 'PENDING' and executor_id = $3) as open`;

/**
 * Launch the engine once there is work, and shut it down some time after the last work: it polls the database many
 * times a second.
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
