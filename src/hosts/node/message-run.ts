import { setTimeout as sleep } from "node:timers/promises";
import { readJournal } from "../../adapters/journal/read-journal.ts";
import type { LeaseHolder } from "../../adapters/lease/lease.ts";
import { endProcess, identifyProcess, isAlive } from "../../adapters/processes/process-identity.ts";
import { isForNow, type LeftWord, type PersonEvent, type Receipt, type Speaker } from "../../model/person-event.ts";
import { wordOf } from "../../model/record.ts";
import { replayRecords, unendedStart } from "../../run/previous-start.ts";

import { wordsFor } from "./consent/owner-record.ts";
import type { SpecFolder } from "./find-spec.ts";
import { holderElsewhere, holderOf } from "./reading/recorded-starts.ts";

/** Result of a stop request; `pid` is the process of the coordinator. */
export type StopReceipt =
  | { readonly kind: "ended"; readonly pid: number }
  | { readonly kind: "at-work"; readonly pid: number }
  | { readonly kind: "elsewhere"; readonly pid: number; readonly host: string }
  | { readonly kind: "foreign"; readonly pid: number; readonly spec: string }
  | { readonly kind: "none" };

export interface Saying {
  readonly event: PersonEvent;
  /** Key of the question that the message answers; without a key, the message answers any open question. */
  readonly to?: string | undefined;
  readonly by: Speaker;
}

/** Time to wait for a receipt, ten times what a busy coordinator needs. */
const receiptMs = 5000;

/** Time to wait for the coordinator to end. Each executor that ignores SIGTERM gets 5 s, also in a batch. */
const endMs = 60_000;

/**
 * Put a message into the inbox of the coordinator on this machine. Returns when the message is recorded, or after 5 s;
 * null when no coordinator runs on this machine. A message not recorded by then stays in the inbox, also for the next
 * start if the coordinator was killed. Pause and resume apply only to the current coordinator.
 *
 * @param signal Ends the waiting.
 * @throws {EnvironmentError} `file-refused`, `user-folder-unusable`
 */
export async function sayTo(
  spec: SpecFolder,
  { event, to, by }: Saying,
  signal: AbortSignal,
): Promise<{ readonly pid: number; readonly receipt: Receipt } | null> {
  const { dataFolder } = spec;
  const holder = holderOf(spec);
  if (holder === null) return null;
  const reading = readJournal(dataFolder);
  const box = wordsFor(spec);
  const word: Omit<LeftWord, "id"> = { run: reading.run, by, event, ...(to !== undefined && { to }) };
  const id = box.leave(word);
  const isAtWork = lookAtWork(holder, spec);
  const settled = await waitFor(() => !box.isThere(id) || !isAtWork(), receiptMs, signal);
  const receipt = receiptOf(id, { spec, isTaken: !box.isThere(id), isOver: settled && !signal.aborted });
  if (receipt.kind === "ended" || (receipt.kind === "killed" && isForNow({ id, ...word }))) box.remove(id);
  return { pid: holder.pid, receipt };
}

/**
 * Whether the run of a spec is paused, or will be paused once its process has read the inbox. A suspended process reads
 * the inbox only after it is resumed.
 *
 * @throws {EnvironmentError} `file-refused`, `user-folder-unusable`
 */
export function willBePaused(spec: SpecFolder): boolean {
  // Read the inbox before the journal: the run records a message before removing it, so one of the two contains the
  // message.
  const waiting = wordsFor(spec).read();
  const reading = readJournal(spec.dataFolder);
  const last = waiting.findLast(({ run, event }) => run === reading.run && /^(?:pause|resume)$/.test(event.type));
  return last === undefined ? replayRecords(reading)?.paused === true : last.event.type === "pause";
}

/** Whether a stop of this run was requested. @throws {EnvironmentError} `file-refused` */
export const isStopAsked = (spec: SpecFolder): boolean =>
  wordsFor(spec)
    .read()
    .some(({ event }) => event.type === "stop");

/**
 * Stop the coordinator of a spec as Ctrl-C would. Returns when the coordinator has ended, or after 60 s.
 *
 * @param signal Ends the waiting.
 * @throws {EnvironmentError} `signal-refused`, `file-refused`, `user-folder-unusable`
 */
export async function stopRun(spec: SpecFolder, by: Speaker, signal: AbortSignal): Promise<StopReceipt> {
  const holder = holderOf(spec);
  if (holder === null) {
    const elsewhere = holderElsewhere(spec);
    return elsewhere === null ? { kind: "none" } : { kind: "elsewhere", pid: elsewhere.pid, host: elsewhere.host };
  }
  // The files of a lease may be copies, or made up: they must not end another run, or any other process of the user.
  if (holder.spec !== spec.folder || identifyProcess(holder.pid)?.pidStart !== holder.pidStart)
    return { kind: "foreign", pid: holder.pid, spec: holder.spec };
  const box = wordsFor(spec);
  const id = box.leave({ run: readJournal(spec.dataFolder).run, by, event: { type: "stop" } });
  try {
    endProcess(holder);
  } catch (cause) {
    box.remove(id);
    throw cause;
  }
  const hasEnded = await waitFor(() => holderOf(spec) === null, endMs, signal);
  return { kind: hasEnded ? "ended" : "at-work", pid: holder.pid };
}

/** Time between two checks of the lease, needed since the coordinator's process may outlive the run. */
const lookMs = 1000;

function lookAtWork(holder: LeaseHolder, spec: SpecFolder): () => boolean {
  let last = performance.now();
  return () => {
    if (!isAlive(holder)) return false;
    if (performance.now() < last + lookMs) return true;
    last = performance.now();
    return holderOf(spec) !== null;
  };
}

function receiptOf(
  id: string,
  { spec, isTaken, isOver }: { readonly spec: SpecFolder; readonly isTaken: boolean; readonly isOver: boolean },
): Receipt {
  if (!isTaken && !isOver) return { kind: "waiting" };
  const reading = readJournal(spec.dataFolder);
  const isRecorded = reading.records.some((record) => wordOf(record) === id);
  if (isRecorded) return { kind: "recorded", atWork: Object.keys(replayRecords(reading)?.turn.atWork ?? {}) };
  if (holderOf(spec) !== null) return { kind: "late" };
  return { kind: unendedStart(reading) === null ? "ended" : "killed" };
}

async function waitFor(holds: () => boolean, mostMs: number, signal: AbortSignal): Promise<boolean> {
  const end = performance.now() + mostMs;
  while (!holds()) {
    if (performance.now() > end || signal.aborted) return false;
    await sleep(50);
  }
  return true;
}
