import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../files/folder.ts";
import { refused } from "../files/refused.ts";

/** @param place The user's folder for the spec. */
export const worktreesIn = (place: string): string => join(place, "worktrees");

const treesIn = (place: string): string => join(place, "trees");

/**
 * The folder that stores workspace contents of a run. This folder is outside of the workspace, so that no executor can
 * add git settings.
 *
 * @param place The user's folder of the spec.
 * @param run Name of the run's folder.
 * @throws {EnvironmentError} `file-refused`
 */
export function treesOfRun(place: string, run: string): string {
  const base = treesIn(place);
  return refused("use", base, () => {
    makeFolder(base, 0o700);
    return join(base, run);
  });
}

/**
 * Remove the stored contents of runs whose run data is gone.
 *
 * @param dataFolder The spec's folder of run data.
 * @throws {EnvironmentError} `file-refused`
 */
export function dropOldTrees(place: string, dataFolder: string): void {
  const base = treesIn(place);
  refused("remove", base, () => {
    if (!existsSync(base)) return;
    for (const run of readdirSync(base)) {
      if (!existsSync(join(dataFolder, run))) rmSync(join(base, run), { recursive: true, force: true });
    }
  });
}

/** @throws {EnvironmentError} `file-refused` */
export const removeTrees = (place: string): void =>
  refused("remove", treesIn(place), () => {
    for (const folder of [treesIn(place), worktreesIn(place)]) rmSync(folder, { recursive: true, force: true });
  });
