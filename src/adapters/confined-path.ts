import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { isGuarded, reportOutside } from "../markdown/report/report-outside.ts";
import { isWithin } from "./is-within.ts";

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
