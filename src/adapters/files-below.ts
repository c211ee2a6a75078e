import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";

const maxFiles = 1000;
const passedOver = new Set(["node_modules", ".git"]);

/**
 * The first 1000 regular files below a folder, in the order of their names. Links are not followed; what cannot be
 * listed is passed over.
 *
 * @param isLeftOut Whether a file or folder does not count, by its absolute path.
 */
export function filesBelow(folder: string, isLeftOut: (path: string) => boolean): string[] {
  const files: string[] = [];
  const folders = [folder];
  for (let at = folders.pop(); at !== undefined && files.length < maxFiles; at = folders.pop()) {
    const inside: string[] = [];
    for (const entry of list(at)) {
      const path = join(at, entry.name);
      if (passedOver.has(entry.name) || isLeftOut(path)) continue;
      if (entry.isDirectory()) inside.unshift(path);
      else if (entry.isFile() && files.length < maxFiles) files.push(path);
    }
    for (const path of inside) folders.push(path);
  }
  return files;
}

function list(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
