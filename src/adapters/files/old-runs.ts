import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { EnvironmentError } from "../../model/errors.ts";
import { refused } from "./refused.ts";

/** What was removed of old runs. */
export interface RemovedRuns {
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
