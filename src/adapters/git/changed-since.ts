import { lstatSync } from "node:fs";
import { dirname } from "node:path";

/** The kernel stamps files with the time of its last tick, which comes at least every 10 ms. */
const tickMs = 10;

/**
 * Whether a file was changed at a time or after it: its content, its name or its mode. Of one that is gone its folder
 * tells, so it counts as changed as well when something else was made or removed there.
 *
 * @param path Absolute.
 * @param at Milliseconds since 1970.
 */
export function changedSince(path: string, at: number): boolean {
  try {
    // The time of content alone is kept by `mv` and `cp -p`.
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found !== undefined) return found.ctimeMs >= at - tickMs;
    return changedSince(dirname(path), at);
  } catch {
    // What cannot be looked at any more was not so when git looked.
    return true;
  }
}
