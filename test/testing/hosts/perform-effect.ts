/**
 * Performs one effect in a separate process: JSON on stdin, JSON on stdout. The reader of the output kills the process.
 */
import { readFileSync } from "node:fs";
import { createActs } from "../../../src/effects/create-effects.ts";
import { createRunMemory } from "../../../src/effects/run-memory.ts";
import type { Effect } from "../../../src/model/effect.ts";
import type { RunRecord } from "../../../src/model/record.ts";
import type { RunState } from "../../../src/model/run-state.ts";
import type { AttemptFacts } from "../../../src/ports/attempt-record.ts";
import type { HostTask } from "../../../src/testing/host.ts";
import { memoryStore } from "../../../src/testing/memory-store.ts";
import { workPorts } from "./work-ports.ts";

export interface Papers {
  readonly tasks: string;
  readonly progress: string;
  readonly members: readonly (readonly [task: string, log: string])[];
}

export interface Job {
  readonly task: HostTask;
  readonly run: RunState;
  readonly papers: Papers;
  readonly effect: Effect;
  readonly runs: readonly (readonly [command: string, times: number])[];
}

export interface Done {
  readonly answer: unknown;
  readonly facts?: AttemptFacts;
  readonly records: readonly RunRecord[];
  readonly papers: Papers;
  readonly runs: Job["runs"];
  readonly delegated: ReturnType<typeof workPorts>["delegated"];
}

const { task, run, papers, effect, runs } = JSON.parse(readFileSync(0, "utf8")) as Job;
const store = memoryStore(papers.tasks, papers.progress);
for (const [member, log] of papers.members) store.memberLogs.set(member, log);
const records: RunRecord[] = [];
const memory = createRunMemory({
  state: run,
  store: { append: (made) => void records.push(...made), writeOutput: () => {}, readOutput: async () => "" },
});
const { ports, delegated, ran } = workPorts(task, store, () => {}, runs);
const act = createActs({ ...ports, attempts: memory })[effect.name as "delegate"] as unknown as (
  input: unknown,
  signal: AbortSignal,
) => Promise<Pick<Done, "answer" | "facts">>;
const { answer, facts } = await act(effect.input, new AbortController().signal);
const done: Done = {
  answer,
  ...(facts !== undefined && { facts }),
  records,
  papers: {
    tasks: store.tasks.text,
    progress: store.log.text,
    members: [...store.memberLogs],
  },
  runs: [...ran],
  delegated,
};
process.stdout.write(`${JSON.stringify(done)}\n`);
setInterval(() => {}, 1000);
