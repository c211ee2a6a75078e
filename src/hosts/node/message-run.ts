import { setTimeout as sleep } from "node:timers/promises";
import { readJournal } from "../../adapters/journal/read-journal.ts";
import type { LeaseHolder } from "../../adapters/lease/lease.ts";
import { endProcess, isAlive } from "../../adapters/processes/process-identity.ts";
import { isForNow, type LeftWord, type PersonEvent, type Receipt, type Speaker } from "../../model/person-event.ts";
import { wordOf } from "../../model/record.ts";
import { stateIn, unendedStart } from "../../run/run-before.ts";

import { wordsFor } from "./consent/owner-record.ts";
import type { SpecFolder } from "./find-spec.ts";
import { holderElsewhere, holderOf } from "./reading/recorded-starts.ts";

/** What a coordinator did that was asked to end; `pid` is its process. */
export type StopReceipt =
  | { readonly kind: "ended"; readonly pid: number }
  | { readonly kind: "at-work"; readonly pid: number }
  | { readonly kind: "elsewhere"; readonly pid: number; readonly host: string }
  | { readonly kind: "none" };

/** Something that a person says. */
export interface Saying {
  readonly event: PersonEvent;
  /** Key of the question that it answers; not given for whatever waits. */
  readonly to?: string | undefined;
  readonly by: Speaker;
}

/** A busy coordinator needs a tenth of this time. */
const receiptMs = 5000;

/** An executor that ignores SIGTERM is given 5 s, and so is each of a batch. */
const endMs = 60_000;

/**
 * Leave a word for the coordinator of a spec on this machine. Answers when it has recorded that, or after 5 s; null when
 * none is at work here. A word that is not heard by then stays, also for the start that follows a coordinator which was
 * killed. A pause and its end are for the one at work alone.
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
 * Whether the run of a spec is paused, or will be once it has read the words that wait for it. A suspended process reads a
 * pause only when it is resumed.
 *
 * @throws {EnvironmentError} `file-refused`, `user-folder-unusable`
 */
export function willBePaused(spec: SpecFolder): boolean {
  // Read first: the run records a word before it removes it, so that one of the two shows it.
  const waiting = wordsFor(spec).read();
  const reading = readJournal(spec.dataFolder);
  const last = waiting.findLast(({ run, event }) => run === reading.run && /^(?:pause|resume)$/.test(event.type));
  return last === undefined ? stateIn(reading)?.paused === true : last.event.type === "pause";
}

/** Whether somebody has asked that the run of this spec ends. @throws {EnvironmentError} `file-refused` */
export const isStopAsked = (spec: SpecFolder): boolean =>
  wordsFor(spec)
    .read()
    .some(({ event }) => event.type === "stop");

/**
 * End the coordinator of a spec as Ctrl-C does where it runs. Answers when it has ended, or after 60 s.
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

/** How often the journal is read while the process of a coordinator lives, which may outlive the run. */
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
  if (isRecorded) return { kind: "recorded", atWork: Object.keys(stateIn(reading)?.turn.atWork ?? {}) };
  if (holderOf(spec) !== null) return { kind: "late" };
  return { kind: unendedStart(reading) === null ? "ended" : "killed" };
}

/** Check again and again until something holds. Answers whether it did in time. */
async function waitFor(holds: () => boolean, mostMs: number, signal: AbortSignal): Promise<boolean> {
  const end = performance.now() + mostMs;
  while (!holds()) {
    if (performance.now() > end || signal.aborted) return false;
    await sleep(50);
  }
  return true;
}
