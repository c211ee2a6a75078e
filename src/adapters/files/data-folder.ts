import { closeSync, constants, fstatSync, lstatSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EnvironmentError } from "../../model/errors.ts";
import { makeFolder } from "./folder.ts";
import { openRegular, thingAt } from "./own-file.ts";
import { refused } from "./refused.ts";

/** Names of the folders of runs; the number counts from 1. */
export const runName = /^run-([1-9]\d*)$/;

/**
 * Check the folder of run data, the folders of its runs and those of their outputs. A repository or an executor may
 * have put a link in the place of each.
 *
 * @throws {EnvironmentError} `file-refused` for what is there and is no folder
 */
export function checkDataFolder(base: string): void {
  if (!isRealFolder(base)) return;
  for (const run of runFolders(base)) if (isRealFolder(run)) isRealFolder(join(run, "out"));
}

/** The folders of the runs, in any order. */
export const runFolders = (base: string): string[] =>
  refused("read", base, () => readdirSync(base))
    .filter((name) => runName.test(name))
    .map((name) => join(base, name));

/**
 * Whether a folder of run data is there.
 *
 * @throws {EnvironmentError} `file-refused` for what is there and is no folder, such as a link to one
 */
export function isRealFolder(path: string): boolean {
  const found = refused("look at", path, () => lstatSync(path, { throwIfNoEntry: false }));
  if (found === undefined || found.isDirectory()) return found !== undefined;
  throw new EnvironmentError(`Cannot use \`${path}\`, expected a folder of the spec's own, found ${thingAt(found)}`, {
    code: "file-refused",
    hint: "Move it away, then run again: fixpoint makes the folder itself",
  });
}

/**
 * Remove a folder of run data at one moment: a process that makes it again meanwhile makes another one.
 *
 * @throws {EnvironmentError} `file-refused`
 */
export function removeFolder(path: string): void {
  refused("remove", path, () => {
    const aside = `${path}-removed-${process.pid}.tmp`;
    renameSync(path, aside);
    rmSync(aside, { recursive: true, force: true });
  });
}

/**
 * Make the folder of run data, which keeps itself out of version control.
 *
 * @throws {EnvironmentError} `file-refused`
 */
export function makeDataFolder(base: string): void {
  checkDataFolder(base);
  refused("make", base, () => {
    makeFolder(base, 0o700);
    const file = openRegular(join(base, ".gitignore"), constants.O_RDWR | constants.O_CREAT, 0o666);
    try {
      // An empty file means that a start was killed while writing it. A file with several names is also another file.
      const { size, nlink } = fstatSync(file);
      if (size === 0 && nlink === 1) writeFileSync(file, "*\n", { flush: true });
    } finally {
      closeSync(file);
    }
  });
}
