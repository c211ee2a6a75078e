import { createRunMemory } from "../../src/effects/run-memory.ts";
import { withMemory } from "../../src/effects/with-memory.ts";
import type { RunEnded, RunEvent } from "../../src/model/event.ts";
import { Policy, type PolicyInput } from "../../src/model/policy.ts";
import type { TimedRunRecord } from "../../src/model/record.ts";
import type { Executor, Ports, Shell } from "../../src/ports.ts";
import { currentTurn } from "../../src/runtime/replay.ts";
import { run } from "../../src/runtime/run.ts";
import { type MemoryStore, memoryStore } from "../../src/testing/memory-store.ts";
import { scriptedShell } from "../../src/testing/scripted-shell.ts";
import { stillClock } from "../../src/testing/still-clock.ts";

/** A run in memory: what it stands on, and what it has recorded so far. */
export interface MemoryRun {
  readonly store: MemoryStore;
  readonly records: TimedRunRecord[];
  readonly events: RunEvent[];
}

export interface MemoryRunOptions {
  readonly policy?: PolicyInput;
  readonly shell?: Shell;
  /** Ports in place of those over memory. */
  readonly ports?: Partial<Ports>;
  readonly signal?: AbortSignal;
  /** Number of the record at whose writing the coordinator is killed. */
  readonly killedAt?: number;
}

/** Ports over memory. */
export const memoryPorts = (store: MemoryStore, execute: Executor, shell: Shell = scriptedShell()): Ports => ({
  executors: { executor: execute, verifier: execute },
  documents: store,
  shell,
  clock: stillClock(),
  workspace: "/work",
  spec: "/work/specs/sample",
});

export const newRun = (tasks: string, progress?: string): MemoryRun => ({
  store: memoryStore(tasks, progress),
  records: [],
  events: [],
});

/** Start or go on with a run, with real effects and the executor given. Null when it was killed. */
export async function goOn(
  { store, records, events }: MemoryRun,
  execute: Executor,
  { policy = {}, shell, ports = {}, signal, killedAt = Number.POSITIVE_INFINITY }: MemoryRunOptions = {},
): Promise<RunEnded | null> {
  const whole = Policy.parse(policy);
  const killed = new Error("killed");
  const memory = createRunMemory({
    open: 1,
    store: {
      append: (record) => {
        if (records.length >= killedAt) throw killed;
        records.push(JSON.parse(JSON.stringify({ at: 0, ...record })) as TimedRunRecord);
      },
      writeOutput: () => {},
      readOutput: async () => "",
    },
  });
  const before = [...records];
  const turn = currentTurn(before);
  for (const record of before.slice(0, before.length - turn.length)) memory.fold(record);
  memory.beginTurn(0);
  for (const record of turn) memory.fold(record);
  try {
    const { ended } = await run({
      ports: withMemory({ ...memoryPorts(store, execute, shell), ...ports, attempts: memory }),
      memory,
      policy: whole,
      records: before,
      midTurn: before.length > 0,
      onEvent: (event) => events.push(event),
      refreshViews: async () => {},
      signal: signal ?? new AbortController().signal,
    });
    return ended;
  } catch (error) {
    if (error === killed) return null;
    throw error;
  }
}

/** Tasks in the order in which they were delegated. */
export const delegatedIn = ({ records }: MemoryRun): string[] =>
  records.flatMap((record) => (record.type === "delegated" ? [record.task] : []));
