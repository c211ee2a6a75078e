import { join } from "node:path";
import { latestRun, latestSegment, readJournal, runFolder } from "../../../adapters/journal/read-journal.ts";
import { FixpointError } from "../../../model/errors.ts";
import type { RunSeen, Statistics } from "../../../model/statistics.ts";
import { lookAtRun } from "../../../runtime/look-at-run.ts";
import { statisticsOf } from "../../../runtime/statistics.ts";
import { findSpecs } from "../find-specs.ts";

/** Statistics of all specs below a folder. */
export interface FolderStatistics extends Statistics {
  /** Number of specs that have a run. */
  readonly specs: number;
  /** Runs with an unreadable journal, and the reasons. */
  readonly unread: readonly { readonly run: string; readonly reason: string }[];
}

/**
 * Compute statistics from the journals of all specs below a folder. Read-only, so runs may be at work.
 *
 * @param folder Absolute.
 * @throws {InputError} `specs-missing`
 * @throws {EnvironmentError} `file-refused`
 */
export function readStatistics(folder: string): FolderStatistics {
  const { runs, specs, unread } = readRuns(findSpecs(folder));
  return { specs, ...statisticsOf(runs), unread };
}

/** Read all remaining runs of some specs for statistics. @param folders Of the specs, absolute. */
export function readRuns(folders: readonly string[]): Pick<FolderStatistics, "specs" | "unread"> & {
  readonly runs: readonly RunSeen[];
} {
  const runs: RunSeen[] = [];
  const unread: { run: string; reason: string }[] = [];
  let specs = 0;
  for (const folder of folders) {
    const base = join(folder, ".fixpoint");
    const numbers = Array.from({ length: latestRun(base) }, (_, at) => at + 1);
    const kept = numbers.filter((number) => latestSegment(runFolder(base, number)) > 0);
    if (kept.length > 0) specs += 1;
    for (const run of kept) {
      try {
        const { records, segments } = readJournal(base, { run });
        runs.push(lookAtRun({ records, seed: segments[0]?.header.seed }));
      } catch (error) {
        if (!(error instanceof FixpointError)) throw error;
        unread.push({ run: runFolder(base, run), reason: error.message });
      }
    }
  }
  return { runs, specs, unread };
}
