import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { openJournal } from "../../adapters/journal/journal.ts";
import { readJournal } from "../../adapters/journal/read-journal.ts";
import { takeSpecLease } from "../../adapters/lease/spec-lease.ts";
import { openPlan } from "../../markdown/document/plan-document.ts";
import type { SpecAddress } from "../../model/command-line.ts";
import { EnvironmentError } from "../../model/errors.ts";
import type { PersonEvent, Speaker } from "../../model/person-event.ts";
import { readPolicy } from "../../model/policy.ts";
import { hashOf } from "../node/consent/verify-commands.ts";
import { programIn } from "../node/find-spec.ts";
import { findSpeaker, questionsOf, sendMessage, unknownRun } from "./fleet.ts";
import type { FleetStep } from "./fleet-steps.ts";
import type { FleetRun } from "./protocol.ts";
import { type Client, findRun, type Opened, openQueue, withoutPassword } from "./sdk.ts";
import { applyEdits, type DocumentEdit, type SpecDocuments, writeSpecDocuments } from "./spec-documents.ts";

/** The files of a fleet's run, like those of a run on one machine. */
export interface FleetFiles {
  /** Folder of the spec, absolute. */
  readonly folder: string;
  readonly address: SpecAddress;
  /** Question to a person about the whole run, such as its unreachable repository; null if there is none. */
  asked(): string | null;
  close(): Promise<void>;
}

export interface FollowedRun extends FleetFiles {
  /** Send a message to the run. @throws The errors of `sayToRun`. */
  say(event: PersonEvent, by: Speaker, task?: string): Promise<void>;
  readonly by: Speaker;
}

/**
 * Write the files of a run from the database, for code that reads the files of a run on one machine.
 *
 * @throws {InputError} `run-unknown`, `queue-invalid`
 * @throws {EnvironmentError} `engine-missing`, `queue-unreachable`, `queue-newer`, and the error that kept a worker
 * from beginning the run
 */
export async function openFleetRun(queue: string, run: string): Promise<FleetFiles> {
  const opened = await openQueue(queue);
  try {
    const { folder, address, asked, remove } = await mirrorRun(opened, queue, run);
    return { folder, address, asked, close: async () => remove() };
  } finally {
    await opened.close();
  }
}

/** Time between two reads of a followed run, in milliseconds. */
const followMs = 1000;

/**
 * Write the files of a run like `openFleetRun`, and update them until `close`.
 *
 * @throws The errors of `openFleetRun`.
 * @throws {InputError} `own-gate` inside a call of a worker
 */
export async function followFleetRun(queue: string, run: string): Promise<FollowedRun> {
  const opened = await openQueue(queue);
  try {
    const by = await findSpeaker(opened, "watch", run);
    const mirror = await mirrorRun(opened, queue, run);
    const closed = new AbortController();
    const follow = async (): Promise<void> => {
      while (!closed.signal.aborted && !mirror.isOver()) {
        await setTimeout(followMs, undefined, { signal: closed.signal }).catch(() => {});
        // Ignore errors: while the database is unreachable, the page stays unchanged.
        if (!closed.signal.aborted) await mirror.look().catch(() => {});
      }
    };
    const following = follow();
    return {
      ...{ folder: mirror.folder, address: mirror.address, asked: mirror.asked, by },
      say: (event, speaker, task) => sendMessage(opened, run, { event, by: speaker, task }),
      close: async () => {
        closed.abort();
        await following;
        mirror.remove();
        await opened.close();
      },
    };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

export async function readSteps(queue: string, run: string): Promise<readonly FleetStep[]> {
  const { client, close } = await openQueue(queue);
  try {
    return await stepsOf(client, run);
  } finally {
    await close();
  }
}

async function stepsOf(client: Client, run: string): Promise<readonly FleetStep[]> {
  return ((await client.listWorkflowSteps(run)) ?? []).flatMap(stepIn);
}

const stepIn = ({ output }: { readonly output: unknown }): readonly FleetStep[] =>
  typeof (output as FleetStep | null)?.at === "number" ? [output as FleetStep] : [];

async function mirrorRun({ client, database }: Opened, queue: string, run: string) {
  const found = await findRun(client, run);
  if (found === null) throw unknownRun("read", run, "a run of this fleet");
  const { spec, policy, executors } = found.submitted;
  const top = mkdtempSync(join(tmpdir(), "fixpoint-fleet-run-"));
  const folder = join(top, basename(spec) || run);
  let files: ReturnType<typeof openFiles> | null = null;
  let seen = 0;
  let last = -1;
  let isOver = false;
  let asked: string | null = null;
  const look = async (): Promise<void> => {
    const now = await findRun(client, run);
    // The engine may store its waits after later steps, so some steps can be read twice.
    const steps = (await client.listWorkflowSteps(run, { offset: seen })) ?? [];
    seen += steps.length;
    const news = steps.filter(({ functionID }) => functionID > last);
    last = Math.max(last, ...news.map(({ functionID }) => functionID));
    const kept = news.flatMap(stepIn);
    files ??= openFiles(folder, policy, firstEdits(run, kept));
    files.add(kept);
    isOver = now?.isOver !== false;
    const questions = isOver ? [] : await questionsOf(database, run);
    asked = questions.find(({ task }) => task === null)?.text ?? null;
    if (isOver) files.end();
  };
  const remove = (): void => {
    files?.end();
    rmSync(top, { recursive: true, force: true });
  };
  try {
    await look();
  } catch (error) {
    remove();
    throw error;
  }
  const address = {
    ...{ program: programIn(), spec: spec === "" ? "." : spec, cwd: null, path: run },
    fleet: { queue: withoutPassword(queue), executor: executors.executor },
  };
  return { folder, address, look, remove, isOver: () => isOver, asked: () => asked };
}

/** The first edits of a run, which include its plan. @throws The error that kept the run from beginning. */
function firstEdits(run: string, steps: readonly FleetStep[]): readonly DocumentEdit[] {
  const edits = steps.find((step) => step.edits !== undefined)?.edits;
  if (edits !== undefined) return edits;
  const error = steps.findLast((step) => step.error !== undefined)?.error;
  if (error === undefined) throw unknownRun("read", run, "a run that a worker has begun");
  const { message, ...how } = error;
  throw new EnvironmentError(message, how);
}

function openFiles(folder: string, policy: FleetRun["policy"], first: readonly DocumentEdit[]) {
  const data = join(folder, ".fixpoint");
  mkdirSync(data, { recursive: true });
  const begun: SpecDocuments = new Map();
  applyEdits(begun, first);
  const plan = begun.get("tasks.md") ?? "";
  const open = openPlan(plan).plan.tasks.filter(({ done, isGroup }) => !done && isGroup !== true).length;
  // While the lease is held, readers consider the run to be running.
  const lease = takeSpecLease(data, { takeOver: false });
  const facts = { policy: readPolicy(policy), planHash: hashOf(plan), open };
  const journal = openJournal(readJournal(data), 1, facts, lease);
  const papers: SpecDocuments = new Map();
  let isEnded = false;
  return {
    add: (steps: readonly FleetStep[]): void => {
      const edits = steps.flatMap((step) => step.edits ?? []);
      applyEdits(papers, edits);
      if (edits.length > 0) writeSpecDocuments(folder, papers);
      for (const { at, records = [] } of steps) if (records.length > 0) journal.append(records, { durable: false, at });
    },
    end: (): void => {
      if (isEnded) return;
      isEnded = true;
      journal.close();
      lease.release();
    },
  };
}
