import { setTimeout as sleep } from "node:timers/promises";
import { readJournal } from "../../adapters/journal/read-journal.ts";
import { endProcess } from "../../adapters/processes/process-identity.ts";
import { stopNote } from "../../adapters/user/note-file.ts";
import { pauseFile } from "../../adapters/user/pause-file.ts";
import type { RunRecord } from "../../model/record.ts";
import type { Speaker } from "../../model/speaker.ts";
import type { TaskId } from "../../model/task-id.ts";
import { stateIn } from "../../start/run-before.ts";
import type { SpecFolder } from "./find-spec.ts";
import { holderElsewhere, holderOf } from "./reading/recorded-starts.ts";

/** What happened to a message for a coordinator. */
export type Receipt =
  /** The coordinator has recorded it, while these tasks were under way. */
  | { readonly kind: "recorded"; readonly atWork: readonly TaskId[] }
  /** The coordinator ended before it noticed. */
  | { readonly kind: "ended" }
  /** The coordinator is at work and has not noticed it yet. */
  | { readonly kind: "waiting" };

/** What a coordinator did that was asked to end; `pid` is its process. */
export type StopReceipt =
  | { readonly kind: "ended"; readonly pid: number }
  | { readonly kind: "at-work"; readonly pid: number }
  | { readonly kind: "elsewhere"; readonly pid: number; readonly host: string }
  | { readonly kind: "none" };

/** A busy coordinator needs a quarter of this time. */
const receiptMs = 5000;

/** An executor that ignores SIGTERM is given 5 s, and so is each of a batch. */
const endMs = 60_000;

/**
 * Tell the coordinator of a spec on this machine to begin nothing more. Answers when it has recorded that, or after 5
 * s; null when none is at work here.
 *
 * @param signal Ends the waiting.
 * @throws {EnvironmentError} `file-refused`
 */
export async function pauseRun(
  { dataFolder }: SpecFolder,
  by: Speaker,
  signal: AbortSignal,
): Promise<{ readonly pid: number; readonly receipt: Receipt } | null> {
  const holder = holderOf(readJournal(dataFolder));
  if (holder === null) return null;
  pauseFile(dataFolder).pause(by);
  return { pid: holder.pid, receipt: await receiptOf(dataFolder, "pause", signal) };
}

/** Whether somebody has asked from outside that a run begins nothing more. @throws {EnvironmentError} `file-refused` */
export const isPauseAsked = ({ dataFolder }: SpecFolder): boolean => pauseFile(dataFolder).isPaused();

/** Whether somebody has asked that the run of this spec ends. @throws {EnvironmentError} `file-refused` */
export const isStopAsked = ({ dataFolder }: SpecFolder): boolean => stopNote(dataFolder).isThere();

/**
 * Tell a paused coordinator to go on. Answers when it has recorded that, or after 5 s; null when nobody had paused it
 * from outside.
 *
 * @param signal Ends the waiting.
 * @throws {EnvironmentError} `file-refused`
 */
export const resumeRun = async (
  { dataFolder }: SpecFolder,
  by: Speaker,
  signal: AbortSignal,
): Promise<Receipt | null> => (pauseFile(dataFolder).resume(by) ? await receiptOf(dataFolder, "resume", signal) : null);

/**
 * End the coordinator of a spec as Ctrl-C does where it runs. Answers when it has ended, or after 60 s.
 *
 * @param signal Ends the waiting.
 * @throws {EnvironmentError} `signal-refused`, `file-refused`
 */
export async function stopRun({ dataFolder }: SpecFolder, by: Speaker, signal: AbortSignal): Promise<StopReceipt> {
  const reading = readJournal(dataFolder);
  const holder = holderOf(reading);
  if (holder === null) {
    const elsewhere = holderElsewhere(reading);
    return elsewhere === null ? { kind: "none" } : { kind: "elsewhere", pid: elsewhere.pid, host: elsewhere.host };
  }
  const note = stopNote(dataFolder);
  note.leave(by);
  try {
    endProcess(holder);
  } catch (cause) {
    note.remove();
    throw cause;
  }
  const hasEnded = await waitFor(() => holderOf(readJournal(dataFolder)) === null, endMs, signal);
  return { kind: hasEnded ? "ended" : "at-work", pid: holder.pid };
}

async function receiptOf(dataFolder: string, message: "pause" | "resume", signal: AbortSignal): Promise<Receipt> {
  let receipt: Receipt = { kind: "waiting" };
  await waitFor(
    () => {
      receipt = look(dataFolder, message);
      return receipt.kind !== "waiting";
    },
    receiptMs,
    signal,
  );
  return receipt;
}

function look(dataFolder: string, message: "pause" | "resume"): Receipt {
  const reading = readJournal(dataFolder);
  const last = lastPauseEvent(reading.segments.at(-1)?.records ?? []);
  if (last === message) return { kind: "recorded", atWork: Object.keys(stateIn(reading)?.turn.atWork ?? {}) };
  if (holderOf(reading) === null) return { kind: "ended" };
  // The pause was taken back before the coordinator noticed it.
  return last === null && message === "resume" ? { kind: "recorded", atWork: [] } : { kind: "waiting" };
}

/** The last pause or resume that a start has recorded; null when it has recorded none. */
function lastPauseEvent(records: readonly RunRecord[]): "pause" | "resume" | null {
  const events = records.flatMap((record) => (record.type === "said" ? [record.event.type] : []));
  return events.findLast((event) => event === "pause" || event === "resume") ?? null;
}

/** Check again and again until something holds. Answers whether it did in time. */
async function waitFor(holds: () => boolean, mostMs: number, signal: AbortSignal): Promise<boolean> {
  const end = performance.now() + mostMs;
  while (!holds()) {
    if (performance.now() > end || signal.aborted) return false;
    await sleep(100);
  }
  return true;
}
