import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { EnvironmentError, InputError } from "../../model/errors.ts";
import { isGuarded, reportOutside } from "../../wording/report/report-text.ts";
import { openRegular, thingAt } from "./own-file.ts";
import { refused } from "./refused.ts";

/**
 * Return the real path of a file, with links followed. Parts of the path may be missing.
 *
 * @param path Relative to the workspace, or absolute.
 * @throws {InputError} `report-outside` if the real path is outside of the workspace, or belongs to git or fixpoint.
 */
export function confinedPath(path: string, workspace: string): string {
  if (path.includes("\0")) throw reportOutside(path);
  const place = followLinks(resolve(workspace, path));
  const way = wayInside(realpathSync(workspace), place);
  if (way === null || isGuarded(way)) throw reportOutside(path);
  return place;
}

/**
 * Return the path from a folder to an entry below it; null if the entry is elsewhere. Both paths must be free of links.
 */
export const wayInside = (folder: string, path: string): string | null =>
  isWithin(path, folder) ? relative(folder, path) || null : null;

const followLinks = (path: string): string =>
  lstatSync(path, { throwIfNoEntry: false }) === undefined
    ? join(followLinks(dirname(path)), basename(path))
    : realpathSync(path);

/** Compare names only: links are not followed. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Return whether a path is a folder or a link to one; false for an invalid path. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/**
 * @param workspace Absolute.
 * @throws {InputError} `workspace-missing`
 */
export function checkWorkspace(workspace: string): void {
  if (isFolder(workspace)) return;
  throw new InputError(`Cannot use the workspace \`${workspace}\`, expected an existing folder`, {
    code: "workspace-missing",
    hint: "Correct --cwd, or cwd in fixpoint.config.json",
  });
}

export function shortPath(from: string, path: string): string {
  const way = relative(from, path);
  return way.startsWith("..") || isAbsolute(way) ? path : way || ".";
}

/** Node's own `recursive` option would report a read-only disk, or a disk over its quota, as a missing folder. */
export function makeFolder(path: string, mode = 0o777): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // In /proc, the system reports ENOENT although the parent exists.
    if (code === "ENOENT" && !isFolder(dirname(path))) {
      makeFolder(dirname(path), mode);
      // Another process may have created the folder meanwhile.
      makeFolder(path, mode);
    } else if (code !== "EEXIST" || !statSync(path).isDirectory()) throw error;
  }
}

/** Numbers start at 1. */
export const runName = /^run-([1-9]\d*)$/;

/**
 * Check the folder of run data, its run folders and their output folders: a repository or an executor may have replaced
 * a folder with a link.
 *
 * @throws {EnvironmentError} `file-refused` for an entry that is not a folder
 */
export function checkDataFolder(base: string): void {
  if (!isRealFolder(base)) return;
  for (const run of runFolders(base)) if (isRealFolder(run)) isRealFolder(join(run, "out"));
}

export const runFolders = (base: string): string[] =>
  refused("read", base, () => readdirSync(base))
    .filter((name) => runName.test(name))
    .map((name) => join(base, name));

/** @throws {EnvironmentError} `file-refused` for an entry that is not a folder, such as a link to one */
export function isRealFolder(path: string): boolean {
  const found = refused("look at", path, () => lstatSync(path, { throwIfNoEntry: false }));
  if (found === undefined || found.isDirectory()) return found !== undefined;
  throw new EnvironmentError(`Cannot use \`${path}\`, expected a folder, found ${thingAt(found)}`, {
    code: "file-refused",
    hint: "Move it away, then run again: fixpoint creates the folder itself",
  });
}

/**
 * Remove a folder of run data atomically: a process that creates the folder again gets a new one.
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
 * Create the folder of run data, with a rule that excludes it from version control.
 *
 * @throws {EnvironmentError} `file-refused`
 */
export function makeDataFolder(base: string): void {
  checkDataFolder(base);
  refused("make", base, () => {
    makeFolder(base, 0o700);
    const file = openRegular(join(base, ".gitignore"), constants.O_RDWR | constants.O_CREAT, 0o666);
    try {
      // Write the rule again if a killed start left the file empty. A file with further hard links may belong to
      // another program, so do not change it.
      const { size, nlink } = fstatSync(file);
      if (size === 0 && nlink === 1) writeFileSync(file, "*\n", { flush: true });
    } finally {
      closeSync(file);
    }
  });
}
