import { isRealFolder } from "../../../adapters/files/data-folder.ts";
import { type RemovedRuns, removeOldRuns } from "../../../adapters/files/old-runs.ts";
import { latestRun } from "../../../adapters/journal/read-journal.ts";
import { takeSpecLease } from "../../../adapters/lease/spec-lease.ts";
import { countOf } from "../../../model/count-of.ts";
import { FixpointError } from "../../../model/errors.ts";
import type { RunEvent } from "../../../model/event.ts";
import type { SpecFolder } from "../find-spec.ts";

/**
 * Remove the oldest runs of a spec, while holding its lease.
 *
 * @param keep How many runs stay, the latest included; at least 1.
 * @throws {EnvironmentError} `spec-locked`, `spec-on-other-host`, `file-refused`
 */
export function cleanRuns({ dataFolder }: SpecFolder, keep: number): RemovedRuns {
  if (!isRealFolder(dataFolder)) return { runs: [], bytes: 0 };
  const lease = takeSpecLease(dataFolder, { takeOver: false });
  try {
    return removeOldRuns(dataFolder, latestRun(dataFolder), keep);
  } finally {
    lease.release();
  }
}

/** Remove the runs that are too old when another begins. Answers what is to be told about it. */
export function tidyUp(dataFolder: string, run: number, keep: number): RunEvent[] {
  let removed: RemovedRuns;
  try {
    removed = removeOldRuns(dataFolder, run, keep);
  } catch (error) {
    // They are only in the way: no reason to do without the run.
    if (!(error instanceof FixpointError)) throw error;
    return [{ type: "notice", message: `Old runs were not removed: ${error.message}` }];
  }
  return removed.runs.length === 0 ? [] : [{ type: "notice", message: tellRemoved(removed) }];
}

/** What was removed of old runs, for people: `Removed 3 old runs, 1.2 MiB`. */
export function tellRemoved({ runs, bytes }: RemovedRuns): string {
  return `Removed ${countOf(runs.length, "old run")}, ${sizeOf(bytes)}`;
}

const units = ["KiB", "MiB", "GiB"] as const;

/** Bytes as a person reads them. */
function sizeOf(bytes: number): string {
  let size = bytes / 1024;
  let unit = 0;
  for (; size >= 1024 && unit < units.length - 1; unit++) size /= 1024;
  return bytes < 1024 ? `${bytes} bytes` : `${size.toFixed(1)} ${units[unit]}`;
}
