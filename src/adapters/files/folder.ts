import { lstatSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { InputError } from "../../model/errors.ts";
import { isGuarded, reportOutside } from "../../wording/report/report-outside.ts";

/**
 * The real place of a file, with links followed. Parts of its path need not exist.
 *
 * @param path From the workspace, or absolute.
 * @throws {InputError} `report-outside` when that is not inside the workspace, links followed, or is git's or ours.
 */
export function confinedPath(path: string, workspace: string): string {
  if (path.includes("\0")) throw reportOutside(path);
  const place = followLinks(resolve(workspace, path));
  const way = wayInside(realpathSync(workspace), place);
  if (way === null || isGuarded(way)) throw reportOutside(path);
  return place;
}

/** The path from a folder to something below it; null when it is not below. Both without links. */
export const wayInside = (folder: string, path: string): string | null =>
  isWithin(path, folder) ? relative(folder, path) || null : null;

/** A path with its links followed, as far as it exists. */
const followLinks = (path: string): string =>
  lstatSync(path, { throwIfNoEntry: false }) === undefined
    ? join(followLinks(dirname(path)), basename(path))
    : realpathSync(path);

/** Whether an absolute path is a folder or below it, judged by names alone. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Whether a path is a folder or a link to one; false also for a path that no file can have. */
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
  throw new InputError(`Cannot use the workspace \`${workspace}\`, expected a folder that is there`, {
    code: "workspace-missing",
    hint: "Correct --cwd, or cwd in fixpoint.config.json",
  });
}

/** A path relative to a folder when it leads below that folder, else absolute. */
export function shortPath(from: string, path: string): string {
  const way = relative(from, path);
  return way.startsWith("..") || isAbsolute(way) ? path : way || ".";
}

/**
 * Make a folder and its parents, unless they exist.
 *
 * Node's own `recursive` reports a missing folder when the disk is read-only or over quota.
 */
export function makeFolder(path: string, mode = 0o777): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && dirname(path) !== path) {
      makeFolder(dirname(path), mode);
      // Another process may have made it meanwhile.
      makeFolder(path, mode);
    } else if (code !== "EEXIST" || !statSync(path).isDirectory()) throw error;
  }
}
