import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../files/folder.ts";
import { refused } from "../files/refused.ts";

const treesIn = (place: string): string => join(place, "trees");

/**
 * The folder for the contents of the workspace during a run: outside of it, where no executor can put settings for git.
 * Those of other runs are removed.
 *
 * @param place The user's folder of the spec.
 * @param run Name of the run.
 * @throws {EnvironmentError} `file-refused`
 */
export function treesOfRun(place: string, run: string): string {
  const base = treesIn(place);
  return refused("use", base, () => {
    makeFolder(base, 0o700);
    for (const name of readdirSync(base)) if (name !== run) rmSync(join(base, name), { recursive: true, force: true });
    return join(base, run);
  });
}

/** @throws {EnvironmentError} `file-refused` */
export const removeTrees = (place: string): void =>
  refused("remove", treesIn(place), () => rmSync(treesIn(place), { recursive: true, force: true }));
