import { createRunMemory, type RunMemory } from "../../src/effects/run-memory.ts";
import { withMemory } from "../../src/effects/with-memory.ts";
import type { RunEnded, RunEvent } from "../../src/model/event.ts";
import type { Speaker } from "../../src/model/person-event.ts";
import { type PolicyInput, readPolicy } from "../../src/model/policy.ts";
import { projectCheck } from "../../src/model/project-check.ts";
import type { RunRecord, TimedRunRecord } from "../../src/model/record.ts";
import type { Executor } from "../../src/ports/executor.ts";
import type { Ports } from "../../src/ports/ports.ts";
import type { Shell } from "../../src/ports/shell.ts";
import { currentTurn } from "../../src/runtime/lead.ts";
import { run } from "../../src/runtime/run.ts";
import type { Heard } from "../../src/runtime/run-control.ts";
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
  /** The start before has ended with a question, which is put again (not so when not given). */
  readonly asksAgain?: boolean;
  readonly heard?: Heard;
  /** Who starts it, and answers what it asks. */
  readonly speaker?: Speaker;
  /** Shown every event of this start as it happens. */
  readonly onEvent?: (event: RunEvent) => void;
  /** Shown every record before it is written, and the memory as it is then. */
  readonly onRecords?: (records: readonly RunRecord[], memory: RunMemory) => void;
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
  {
    policy = {},
    shell,
    ports = {},
    signal,
    killedAt = Number.POSITIVE_INFINITY,
    asksAgain = false,
    heard,
    speaker,
    onEvent = () => {},
    onRecords = () => {},
  }: MemoryRunOptions = {},
): Promise<RunEnded | null> {
  // Scripts count the runs of a Verify behind attempts: others are told of by name.
  const whole = readPolicy({ verifyBefore: false, recheck: false, knownFailures: "repair", ...policy });
  const killed = new Error("killed");
  const memory: RunMemory = createRunMemory({
    open: 1,
    store: {
      append: (made, { at = 0 }) => {
        onRecords(made, memory);
        if (records.length + made.length > killedAt) throw killed;
        for (const record of made) records.push(JSON.parse(JSON.stringify({ ...record, at })) as TimedRunRecord);
      },
      writeOutput: () => {},
      readOutput: async () => "",
    },
  });
  const before = [...records];
  const turn = currentTurn(before);
  const questions = new Set(
    asksAgain ? turn.filter((record) => record.type === "answered" && record.answer.kind === "gate") : [],
  );
  for (const record of before) memory.apply(record);
  try {
    const { ended } = await run({
      ports: withMemory({
        ...memoryPorts(store, execute, shell),
        check: projectCheck(whole),
        ...ports,
        attempts: memory,
      }),
      memory,
      policy: whole,
      records: before.filter((record) => !questions.has(record)),
      midTurn: before.length > 0,
      onEvent: (event) => {
        events.push(event);
        onEvent(event);
      },
      refreshViews: async () => {},
      ...(heard !== undefined && { heard }),
      ...(speaker !== undefined && { speaker }),
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
