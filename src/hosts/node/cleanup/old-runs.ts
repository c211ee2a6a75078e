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
 * Remove the oldest runs of a spec and the data of their attempts, while holding its lease.
 *
 * @param keep Number of runs to keep, including the latest; at least 1.
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

export function tidyUp(dataFolder: string, run: number, keep: number): RunEvent[] {
  let removed: RemovedRuns;
  try {
    removed = removeOldRuns(dataFolder, run, keep);
  } catch (error) {
    // The new run can begin even if old runs cannot be removed.
    if (!(error instanceof FixpointError)) throw error;
    return [{ type: "notice", message: `Old runs were not removed: ${error.message}` }];
  }
  return removed.runs.length === 0 ? [] : [{ type: "notice", message: renderRemoved(removed) }];
}

/** Describe what was removed: `Removed 3 old runs, 1.2 MiB`. */
export function renderRemoved({ runs, bytes }: RemovedRuns): string {
  return `Removed ${countOf(runs.length, "old run")}, ${sizeOf(bytes)}`;
}

const units = ["KiB", "MiB", "GiB"] as const;

function sizeOf(bytes: number): string {
  let size = bytes / 1024;
  let unit = 0;
  for (; size >= 1024 && unit < units.length - 1; unit++) size /= 1024;
  return bytes < 1024 ? `${bytes} bytes` : `${size.toFixed(1)} ${units[unit]}`;
}

interface RemovedRuns {
  /** Numbers of the runs, oldest first. */
  readonly runs: readonly number[];
  /** Total size of the removed files, in bytes. */
  readonly bytes: number;
}

/**
 * Remove the folders of old runs. The caller holds the spec's lease, or knows that no process holds it. Links are not
 * followed: only real folders are removed.
 *
 * @param base Folder of run data of the spec.
 * @param latest Number of the latest run; this run and newer runs stay.
 * @param keep Number of runs to keep, including the latest; at least 1.
 * @throws {EnvironmentError} `file-refused`
 */
export function removeOldRuns(base: string, latest: number, keep: number): RemovedRuns {
  const found = refused("look at", base, () => lstatSync(base, { throwIfNoEntry: false }));
  if (found === undefined) return { runs: [], bytes: 0 };
  if (!found.isDirectory()) {
    throw new EnvironmentError(`Cannot use \`${base}\`, expected a real folder`, {
      code: "file-refused",
      hint: "Replace it by a real folder, or remove it",
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
