import { existsSync } from "node:fs";
import type { JournalReading } from "../../adapters/journal.ts";
import { type JournalSum, readSum } from "../../adapters/journal-sum.ts";
import { type RunState, stateVersion } from "../../run/run-state.ts";
import { keptPlan } from "./file-journal.ts";

/** A sum is kept behind so many records at least, and behind a share of those before: long runs do not write more. */
const least = 2048;
const share = 32;

/** Whether the next sum is to be kept. @param summedUp Records before the last one. */
export const isSumDue = (records: number, summedUp: number): boolean =>
  records - summedUp >= Math.max(least, summedUp / share);

/** The sum beside a segment. The plan that was kept with it has all edits in it that those records tell of. */
export const findSum = (folder: string, segment: number): JournalSum | null =>
  existsSync(keptPlan(folder, segment)) ? readSum(folder, segment, stateVersion) : null;

/** What stands for the records before those that were read; undefined when all were. */
export const sumIn = ({ sum }: Pick<JournalReading, "sum">): RunState | undefined => sum?.state as RunState | undefined;
