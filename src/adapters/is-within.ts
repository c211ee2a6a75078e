import { isAbsolute, relative, sep } from "node:path";

/** Whether an absolute path is a folder or leads below it, by their names alone. */
export function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
