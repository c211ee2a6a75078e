import type { Journal } from "../../adapters/journal.ts";
import { isChoice } from "../../adapters/journal-segment.ts";
import { writeSum } from "../../adapters/journal-sum.ts";
import { type RunState, stateVersion } from "../../run/run-state.ts";
import { isSumDue } from "./known-sum.ts";
import type { Start } from "./start/start.ts";

/**
 * A journal that keeps a snapshot of the state beside it, whenever enough records were added: a start has to read those
 * behind it only.
 *
 * @param stateNow What the records come to that were appended so far.
 * @param keepPlan Keeps the plan as it is known, which a start that reads no more than that has to begin with.
 */
export function keepSums(
  journal: Journal,
  { reading, origin }: Pick<Start, "reading" | "origin">,
  stateNow: () => RunState,
  keepPlan: () => Promise<void>,
): Journal {
  let kept = origin.fresh ? 0 : (reading.sum?.records ?? 0);
  let records = origin.fresh ? 0 : kept + reading.records.length;
  let isBegun = false;
  /** Nothing of it is waited for: without it the next start has more to do, and nothing is lost. */
  const keep = (): void => {
    kept = records;
    const reach = journal.reach();
    if (reach === null) return;
    const state = JSON.parse(JSON.stringify(stateNow())) as RunState;
    keepPlan()
      .then(() => writeSum(journal.folder, { version: stateVersion, ...reach, state }, journal.checkFence))
      .catch(() => {});
  };
  return {
    ...journal,
    append: (record, options) => {
      if (isChoice(record)) {
        // The first choice of a start is waited for.
        if (isBegun && isSumDue(records, kept)) keep();
        isBegun = true;
      }
      journal.append(record, options);
      records += 1;
    },
  };
}
