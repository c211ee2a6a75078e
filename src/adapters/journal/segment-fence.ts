import { type BigIntStats, fstatSync, lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { EnvironmentError, takenOver } from "../../model/errors.ts";
import { isRealFolder } from "../files/folder.ts";
import { refused } from "../files/refused.ts";
import type { SpecLease } from "../files/spec-files.ts";
import type { Lease } from "../lease/lease.ts";
import { specHolder } from "../lease/spec-lease.ts";

export interface FencedSegment {
  readonly path: string;
  readonly file: number;
  readonly lease: Lease;
}

export function segmentFence({ path, file, lease }: FencedSegment): SpecLease {
  const held = fstatSync(file, { bigint: true });
  const folder = dirname(path);
  const dataFolder = dirname(folder);
  const folders = [dataFolder, folder, join(folder, "out")];
  const checkHeld = (): void => {
    if (refused("look at", path, () => isSame(held, lookAt(path)) && lease.isHeld())) return;
    throw isHeldByAnother(dataFolder, lease) ? takenOver(`\`${folder}\``) : removed(path);
  };
  return {
    checkHeld,
    checkFence: () => {
      checkHeld();
      for (const each of folders) isRealFolder(each);
    },
  };
}

/** Return whether another process holds the spec, according to the lease in the current run data. */
function isHeldByAnother(dataFolder: string, { holder }: Lease): boolean {
  try {
    const other = specHolder(dataFolder);
    return other !== null && other.id !== holder.id;
  } catch {
    return false;
  }
}

const removed = (path: string): EnvironmentError =>
  new EnvironmentError(
    `Cannot continue the run, since its data was removed or replaced meanwhile: \`${path}\` is not the original file`,
    {
      code: "run-data-removed",
      hint: "Find the cause, such as an agent's `git clean` or `git stash`, then run again",
    },
  );

const isSame = (held: BigIntStats, found: BigIntStats | undefined): boolean =>
  found !== undefined && found.dev === held.dev && found.ino === held.ino && found.nlink > 0n;

/** Return undefined if the path does not exist, or if a parent of the path is not a folder. */
function lookAt(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw error;
  }
}
