import { randomUUID } from "node:crypto";
import { findCaller } from "../../adapters/user/speaker.ts";
import { InputError } from "../../model/errors.ts";
import type { PersonEvent } from "../../model/person-event.ts";
import { type FleetMessage, inbox, type ShownRun, workflows } from "./protocol.ts";
import { fleetVersion, type Opened, openQueue } from "./sdk.ts";

/** A fleet at one moment. */
export interface Fleet {
  readonly workers: readonly FleetWorker[];
  readonly runs: readonly (ShownRun & { readonly run: string })[];
  /** Runs that no worker has taken yet. */
  readonly waiting: readonly string[];
  /** Jobs by executor: those that wait for a slot, and those at work. */
  readonly jobs: Readonly<Record<string, { readonly waiting: number; readonly atWork: number }>>;
  /** What keeps something from going on, a line each. */
  readonly notes: readonly string[];
}

export interface FleetWorker {
  readonly id: string;
  readonly host: string;
  readonly executors: readonly string[];
  readonly slots: number;
  readonly version: string;
  /** Seconds since its last beat. */
  readonly beatS: number;
}

/**
 * Look at a fleet.
 *
 * @throws {InputError} `queue-invalid`
 * @throws {EnvironmentError} `engine-missing`, `queue-unreachable`, `queue-newer`
 */
export async function readFleet(queue: string): Promise<Fleet> {
  const opened = await openQueue(queue);
  try {
    return await look(opened);
  } finally {
    await opened.close();
  }
}

async function look({ database, client }: Opened): Promise<Fleet> {
  const all = await database.query(
    "select id, facts, extract(epoch from now() - at)::int as beat from fixpoint.workers order by id",
  );
  const workers = all.rows.map(
    ({ id, facts, beat }) => ({ id: String(id), ...(facts as object), beatS: Number(beat) }) as FleetWorker,
  );
  const shown = await database.query("select id, shown from fixpoint.runs order by at");
  const runs = shown.rows.map(({ id, shown: run }) => ({ run: String(id), ...(run as ShownRun) }));
  const open = await client.listWorkflows({ status: ["ENQUEUED", "PENDING"], loadInput: false, loadOutput: false });
  const jobs: Record<string, { readonly waiting: number; readonly atWork: number }> = {};
  for (const { workflowName, queueName = "", status } of open) {
    if (workflowName !== workflows.job) continue;
    const executor = queueName.replace(/^fixpoint-jobs-/, "");
    const { waiting, atWork } = jobs[executor] ?? { waiting: 0, atWork: 0 };
    jobs[executor] = status === "PENDING" ? { waiting, atWork: atWork + 1 } : { waiting: waiting + 1, atWork };
  }
  const known = new Set(runs.map(({ run }) => run));
  const unseen = open.filter(
    ({ workflowName, workflowID }) => workflowName === workflows.run && !known.has(workflowID),
  );
  const held = await database.query("select executor, until, why from fixpoint.blocked where until > $1", [Date.now()]);
  const notes = [
    ...Object.entries(jobs).flatMap(([executor, { waiting }]) =>
      waiting > 0 && !workers.some(({ executors }) => executors.includes(executor))
        ? [`${waiting} jobs wait for a worker with the executor ${executor}: fixpoint worker --executor ${executor}`]
        : [],
    ),
    ...[...new Set(open.map(({ applicationVersion = "" }) => applicationVersion))].flatMap((version) =>
      workers.some((worker) => worker.version === version)
        ? []
        : [`What version ${version} has begun waits for a worker of that version; this is ${fleetVersion()}`],
    ),
    ...held.rows.map(
      ({ executor, until, why }) =>
        `${String(executor)} waits until ${new Date(Number(until)).toISOString()}: ${String(why)}`,
    ),
  ];
  return { workers, runs, waiting: unseen.map(({ workflowID }) => workflowID), jobs, notes };
}

/**
 * Say something to a run, which hears it once. Only a person at a terminal answers a question.
 *
 * @param task Whose question it answers; that which was asked first when not given.
 * @throws {InputError} `run-unknown`, `queue-invalid`
 * @throws {EnvironmentError} `engine-missing`, `queue-unreachable`, `queue-newer`
 */
export async function sayToRun(queue: string, run: string, event: PersonEvent, task?: string): Promise<void> {
  const { by } = findCaller();
  const opened = await openQueue(queue);
  try {
    const found = await opened.client.getWorkflow(run);
    const goesOn = found?.status === "ENQUEUED" || found?.status === "PENDING";
    if (!goesOn || found.workflowName !== workflows.run) throw unknownRun("say that to", run, "a run that goes on");
    const word = randomUUID();
    const speaker = { kind: by.terminal === null ? "program" : "terminal", ...by, word } as const;
    const message: FleetMessage = { kind: "word", event, by: speaker, ...(task !== undefined && { task }) };
    await opened.client.send(run, message, inbox, word);
  } finally {
    await opened.close();
  }
}

export const unknownRun = (verb: string, run: string, expected: string): InputError =>
  new InputError(`Cannot ${verb} \`${run}\`, expected ${expected}`, {
    code: "run-unknown",
    hint: "See which there are: fixpoint fleet --queue …",
  });
