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
import { currentTurn } from "../../src/runtime/drive-charts.ts";
import { run } from "../../src/runtime/run.ts";
import type { Heard } from "../../src/runtime/run-control.ts";
import { type MemoryStore, memoryStore } from "../../src/testing/memory-store.ts";
import { scriptedShell, stillClock } from "../../src/testing/scripted-ports.ts";

export interface MemoryRun {
  readonly store: MemoryStore;
  readonly records: TimedRunRecord[];
  readonly events: RunEvent[];
}

export interface MemoryRunOptions {
  readonly policy?: PolicyInput;
  readonly shell?: Shell;
  readonly ports?: Partial<Ports>;
  readonly signal?: AbortSignal;
  readonly killedAt?: number;
  readonly asksAgain?: boolean;
  readonly heard?: Heard;
  readonly speaker?: Speaker;
  readonly onEvent?: (event: RunEvent) => void;
  readonly onRecords?: (records: readonly RunRecord[], memory: RunMemory) => void;
}

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

export async function continueRun(
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
  // Turns off Verify before the work, because scripts count the calls of Verify.
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

export const delegatedIn = ({ records }: MemoryRun): string[] =>
  records.flatMap((record) => (record.type === "delegated" ? [record.task] : []));
