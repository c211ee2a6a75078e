import type { Journal } from "../../adapters/journal.ts";
import { isChoice } from "../../adapters/journal-segment.ts";
import { writeSum } from "../../adapters/journal-sum.ts";
import { type RunSum, type Summing, sumUp, sumVersion } from "../../effects/sum-up.ts";
import type { RunRecord, TimedRunRecord } from "../../model/record.ts";
import { isSumDue, type KnownSum, sumIn } from "./known-sum.ts";
import type { Start } from "./start.ts";

/**
 * A journal that keeps beside it what its records come to, whenever enough were added: a start has to read those behind
 * it only. The sum is of the records alone, as the next start would fold them.
 *
 * @param keepPlan Keeps the plan as it is known, which a start that reads no more than that has to begin with.
 */
export function keepSums(
  journal: Journal,
  { reading, origin }: Pick<Start, "reading" | "origin">,
  keepPlan: () => Promise<void>,
): Journal {
  const known = origin.fresh ? undefined : sumIn(reading);
  let summing: Summing | undefined;
  let unsummed: (RunRecord & Partial<TimedRunRecord>)[] = origin.fresh ? [] : [...reading.records];
  let summedUp = origin.fresh ? 0 : (reading.sum?.records ?? 0);
  let records = summedUp + unsummed.length;
  let isBegun = false;
  /** Nothing of it is waited for: without it the next start has more to do, and nothing is lost. */
  const keep = (run: RunSum): void => {
    summedUp = records;
    const reach = journal.reach();
    if (reach === null) return;
    const state: KnownSum = { run };
    keepPlan()
      .then(() => writeSum(journal.folder, { version: sumVersion, ...reach, state }, journal.checkFence))
      .catch(() => {});
  };
  const begin = (): void => {
    // The first choice of a start is waited for.
    if (isBegun) {
      summing ??= sumUp({ seed: origin.seed, from: known?.run });
      for (const record of unsummed) summing.add(record);
      unsummed = [];
      if (isSumDue(records, summedUp)) keep(summing.sum());
    }
    isBegun = true;
  };
  return {
    ...journal,
    append: (record, options) => {
      if (isChoice(record)) begin();
      journal.append(record, options);
      records += 1;
      unsummed.push({ ...record, at: Date.now() });
    },
  };
}
