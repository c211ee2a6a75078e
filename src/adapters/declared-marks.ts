import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileReader, markLine } from "./file-content.ts";
import { filesBelow } from "./files-below.ts";
import { realFolder } from "./git/find-repository.ts";
import { isWithin } from "./is-within.ts";

/**
 * Mark the state of declared files, folders and patterns; of a pattern all below the folder that it begins with. Paths
 * that lead out of the workspace are passed over.
 *
 * @param workspace Absolute, without symbolic links.
 * @param isLeftOut Whether a path does not count, by its absolute name.
 * @returns A line for each file, and for each declared path that is not there.
 */
export function declaredMarks(
  workspace: string,
  declared: readonly string[],
  isLeftOut: (path: string) => boolean,
): string[] {
  const read = fileReader();
  const places = new Set(declared.flatMap((path) => placeOf(path, workspace)));
  return [...places].sort().flatMap((place) => {
    if (isLeftOut(place)) return [];
    const content = read(place);
    const below = content.kind === "folder" ? filesBelow(place, isLeftOut) : [];
    return [markLine(place, content), ...below.map((path) => markLine(path, read(path)))];
  });
}

/** Where a declared path leads to; none outside of the workspace. */
function placeOf(path: string, workspace: string): string[] {
  if (path.includes("\0")) return [];
  const named = resolve(workspace, path);
  const place = existsSync(named) ? named : resolve(workspace, path.replace(pattern, ""));
  const isInside =
    isWithin(place, workspace) && (place === workspace || isWithin(realFolder(dirname(place)), workspace));
  return isInside ? [place] : [];
}

/** From the first name in a path that is a pattern. */
const pattern = /(?<![^/])[^/*{[]*[*{[].*$/s;
