import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { findRepository, type Repository, realFolder } from "./find-repository.ts";

/** Absolute paths of a spec's own files, by their names. */
export type SpecFiles = Readonly<Record<string, string>>;

/** Hashes of what the files hold; null for one that is not there. */
export const hashFiles = (files: SpecFiles): Record<string, string | null> =>
  Object.fromEntries(Object.entries(files).map(([name, path]) => [name, hashFile(path)]));

function hashFile(path: string): string | null {
  // A pipe in the place of a file would never end.
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return null;
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

/** A file's path from the top of the working tree as git writes it; null for one that is not of this repository. */
export function pathInside(path: string, { top }: Repository): string | null {
  const folder = realFolder(dirname(path));
  if (findRepository(folder)?.top !== top) return null;
  return relative(top, join(folder, basename(path))).replaceAll(sep, "/");
}
