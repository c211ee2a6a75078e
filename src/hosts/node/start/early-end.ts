import type { JournalReading } from "../../../adapters/journal/read-journal.ts";
import { type SpecAddress, tellWays } from "../../../model/command-line.ts";
import { exitCodes, type RunEnded } from "../../../model/event.ts";
import { countTasks, type Plan } from "../../../model/plan.ts";
import type { WayOn } from "../../../model/way-on.ts";
import { lastTold } from "../../../runtime/last-told.ts";
import type { Origin } from "../../../start/origin.ts";
import { renderItems } from "../../../wording/render-items.ts";
import type { RunData } from "../consent/read-run-data.ts";
import type { RunOptions } from "../run-options.ts";

/**
 * Whether a start would begin a run that has nothing to do. A final check that has not been run yet is something to do.
 */
export function isNothingOpen(
  {
    options,
    origin,
    data: { state, reading },
  }: { readonly options: RunOptions; readonly origin: Origin; readonly data: RunData },
  { tasks }: Plan,
): boolean {
  if (!origin.fresh || options.newRun === true || (state !== "own" && state !== "over")) return false;
  const { finalVerify } = origin.policy;
  const isChecked = finalVerify === null || reading.segments.at(-1)?.header.policy.finalVerify === finalVerify;
  return isChecked && tasks.length > 0 && tasks.every(({ done }) => done);
}

/** The end of a start that began nothing because nothing is open: that of the run before, if there was one. */
export function completeBefore({ tasks }: Plan, reading: JournalReading): RunEnded {
  const last = lastTold(reading.records);
  if (last?.type === "ended" && last.ending.outcome === "complete") return last.ending;
  return {
    type: "run.ended",
    outcome: "complete",
    exitCode: exitCodes.complete,
    ...countTasks(tasks),
    attempts: 0,
    skipped: [],
    tickedByHand: tasks.length,
    durationMs: 0,
  };
}

/** The end of a start that began nothing because the owner has to decide first. */
export function gateBefore(
  { text, items, ways }: { readonly text: string; readonly items: readonly string[]; readonly ways: readonly WayOn[] },
  { tasks }: Plan,
  address: SpecAddress,
  { state, seed }: Pick<Origin, "state" | "seed">,
): RunEnded {
  return {
    type: "run.ended",
    outcome: "gate",
    exitCode: exitCodes.gate,
    ...countTasks(tasks),
    attempts: (state ?? seed).iterations,
    skipped: [],
    tickedByHand: 0,
    durationMs: 0,
    error: `${text}\n${renderItems(items)}`,
    hint: tellWays(ways, address),
  };
}
