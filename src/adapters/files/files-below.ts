import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";

const maxFiles = 1000;
const passedOver = new Set(["node_modules", ".git"]);

/**
 * The first 1000 regular files below a folder, in the order of their names. Links are not followed; folders that cannot
 * be listed are skipped.
 *
 * @param isLeftOut Whether a file or folder does not count, by its absolute path.
 */
export function filesBelow(folder: string, isLeftOut: (path: string) => boolean): string[] {
  const files: string[] = [];
  for (const path of entriesBelow(folder, isLeftOut)) {
    if (path !== null) files.push(path);
    if (files.length === maxFiles) break;
  }
  return files;
}

/** Everything below a folder, in the same order: the path of each regular file, and null for anything else. */
export function* entriesBelow(folder: string, isLeftOut: (path: string) => boolean): Generator<string | null> {
  const folders = [folder];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    const inside: string[] = [];
    for (const entry of list(at)) {
      const path = join(at, entry.name);
      if (passedOver.has(entry.name) || isLeftOut(path)) continue;
      if (entry.isDirectory()) inside.unshift(path);
      yield entry.isFile() ? path : null;
    }
    for (const path of inside) folders.push(path);
  }
}

function list(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
