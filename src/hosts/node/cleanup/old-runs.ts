import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isRealFolder } from "../../../adapters/files/folder.ts";
import { refused } from "../../../adapters/files/refused.ts";
import { latestRun } from "../../../adapters/journal/read-journal.ts";
import { takeSpecLease } from "../../../adapters/lease/spec-lease.ts";
import { dropOldTrees } from "../../../adapters/user/run-trees.ts";
import { userFolder } from "../../../adapters/user/user-folder.ts";
import { EnvironmentError, FixpointError } from "../../../model/errors.ts";
import type { RunEvent } from "../../../model/event.ts";
import { countOf } from "../../../model/text.ts";
import type { SpecFolder } from "../find-spec.ts";

/**
 * Remove the oldest runs of a spec and what their attempts did, while holding its lease.
 *
 * @param keep How many runs stay, the latest included; at least 1.
 * @throws {EnvironmentError} `spec-locked`, `spec-on-other-host`, `file-refused`, `user-folder-unusable`
 */
export function cleanRuns({ folder, dataFolder }: SpecFolder, workspace: string, keep: number): RemovedRuns {
  if (!isRealFolder(dataFolder)) return { runs: [], bytes: 0 };
  const lease = takeSpecLease(dataFolder, { takeOver: false });
  try {
    const removed = removeOldRuns(dataFolder, latestRun(dataFolder), keep);
    dropOldTrees(userFolder(folder, workspace), dataFolder);
    return removed;
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

/** What was removed of old runs. */
interface RemovedRuns {
  /** Their numbers, oldest first. */
  readonly runs: readonly number[];
  /** How many bytes their files held. */
  readonly bytes: number;
}

/**
 * Remove the folders of old runs. The caller holds the spec, or has seen that nobody does. Links are not followed: what
 * is no folder itself stays.
 *
 * @param base The spec's folder of run data.
 * @param latest Number of the latest run, which stays, as does what is newer.
 * @param keep How many runs stay, the latest included; at least 1.
 * @throws {EnvironmentError} `file-refused`
 */
export function removeOldRuns(base: string, latest: number, keep: number): RemovedRuns {
  const found = refused("look at", base, () => lstatSync(base, { throwIfNoEntry: false }));
  if (found === undefined) return { runs: [], bytes: 0 };
  if (!found.isDirectory()) {
    throw new EnvironmentError(`Cannot use \`${base}\`, expected a folder of the spec's own`, {
      code: "file-refused",
      hint: "Put the folder itself there, or remove it",
    });
  }
  const runs = refused("read", base, () => readdirSync(base, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory() && /^run-[1-9]\d*$/.test(entry.name))
    .map(({ name }) => Number(name.slice("run-".length)))
    .filter((run) => run <= latest)
    .sort((a, b) => a - b);
  const old = runs.slice(0, Math.max(0, runs.length - Math.max(1, keep)));
  let bytes = 0;
  for (const run of old) {
    const folder = join(base, `run-${run}`);
    bytes += refused("read", folder, () => bytesIn(folder));
    refused("remove", folder, () => rmSync(folder, { recursive: true }));
  }
  return { runs: old, bytes };
}

function bytesIn(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    bytes += entry.isDirectory() ? bytesIn(path) : lstatSync(path).size;
  }
  return bytes;
}
