import { lstatSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { isGuarded, reportOutside } from "../../markdown/report/report-outside.ts";

/**
 * Where a file really lies that a path names, of which not all need be there.
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

/** The way from a folder to what is below it; null when it is not. Both without links. */
export const wayInside = (folder: string, path: string): string | null =>
  isWithin(path, folder) ? relative(folder, path) || null : null;

/** A path with the links in it followed, as far as it is there. */
const followLinks = (path: string): string =>
  lstatSync(path, { throwIfNoEntry: false }) === undefined
    ? join(followLinks(dirname(path)), basename(path))
    : realpathSync(path);

/** Whether an absolute path is a folder or leads below it, by their names alone. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Whether there is a folder of that path, or a link to one; a path that no file can have is that of none. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/**
 * Make a folder, and those it is to be in, unless it is there.
 *
 * Node's own recursive way answers for a folder on a read-only disk, or past a quota, that it is not there.
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
