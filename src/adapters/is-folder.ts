import { statSync } from "node:fs";

/** Whether there is a folder of that path, or a link to one; a path that no file can have is that of none. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
