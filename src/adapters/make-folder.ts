import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

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
