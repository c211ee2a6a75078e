import { setTimeout as sleep } from "node:timers/promises";
import { readJournal } from "../../adapters/journal.ts";
import type { RunRecord } from "../../model/record.ts";
import type { TaskId } from "../../model/task-id.ts";
import { stateIn } from "../../start/run-before.ts";
import { holderOf } from "../node/holder-of.ts";

/** What has become of a word that was left for a coordinator. */
export type Hearing =
  /** It has recorded it; with the tasks that are under way there. */
  | { readonly kind: "heard"; readonly atWork: readonly TaskId[] }
  /** It has come to its end before. */
  | { readonly kind: "ended" }
  /** It is at work, and has not looked yet. */
  | { readonly kind: "waiting" };

/** Four times what a coordinator needs that is hard at work; one that is stopped hears nothing. */
const patienceMs = 5000;

/**
 * Wait until a coordinator has recorded that it is to pause, or to go on.
 *
 * @param signal Ends the waiting.
 */
export async function hear(dataFolder: string, word: "pause" | "resume", signal: AbortSignal): Promise<Hearing> {
  let hearing: Hearing = { kind: "waiting" };
  await waitFor(
    () => {
      hearing = look(dataFolder, word);
      return hearing.kind !== "waiting";
    },
    patienceMs,
    signal,
  );
  return hearing;
}

function look(dataFolder: string, word: "pause" | "resume"): Hearing {
  const reading = readJournal(dataFolder);
  const last = lastPauseWord(reading.segments.at(-1)?.records ?? []);
  if (last === word) return { kind: "heard", atWork: Object.keys(stateIn(reading)?.turn.atWork ?? {}) };
  if (holderOf(reading) === null) return { kind: "ended" };
  // A pause that was taken back before anybody looked.
  return last === null && word === "resume" ? { kind: "heard", atWork: [] } : { kind: "waiting" };
}

/** The last that a start was told of pausing; null when nothing was said. */
function lastPauseWord(records: readonly RunRecord[]): "pause" | "resume" | null {
  const words = records.flatMap((record) => (record.type === "said" ? [record.event.type] : []));
  return words.findLast((word) => word === "pause" || word === "resume") ?? null;
}

/** Look until something holds; answers whether it did before the time was up or the waiting was ended. */
export async function waitFor(holds: () => boolean, mostMs: number, signal: AbortSignal): Promise<boolean> {
  const end = performance.now() + mostMs;
  while (!holds()) {
    if (performance.now() > end || signal.aborted) return false;
    await sleep(100);
  }
  return true;
}
