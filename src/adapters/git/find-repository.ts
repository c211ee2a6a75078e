import { createHash } from "node:crypto";
import { readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { refused } from "../files/refused.ts";

export interface Repository {
  /** Absolute folder of the working tree, without symbolic links. */
  readonly top: string;
  /** Absolute folder with the HEAD, index and locks of the working tree. */
  readonly folder: string;
}

/**
 * Find the repository whose working tree contains a folder, without starting git; null if there is none. Git may still
 * reject the repository.
 *
 * @throws {EnvironmentError} `file-refused`
 */
export function findRepository(folder: string): Repository | null {
  for (let top = realFolder(folder); ; top = dirname(top)) {
    const path = join(top, ".git");
    const found = refused("look at", path, () => repositoryIn(path, top));
    if (found !== null) return { top, folder: found };
    if (top === dirname(top)) return null;
  }
}

/**
 * Return a function that finds the repository around a folder, like `findRepository`. The function searches parent
 * folders only once: a new repository can appear only in the folder itself.
 */
export function repositoryFinder(folder: string): () => Repository | null {
  const top = realFolder(folder);
  const path = join(top, ".git");
  let above: Repository | null | undefined;
  return () => {
    const found = refused("look at", path, () => repositoryIn(path, top));
    if (found !== null) return { top, folder: found };
    if (above === undefined) above = top === dirname(top) ? null : findRepository(dirname(top));
    return above;
  };
}

/** Return the path with symbolic links followed; unchanged if it does not exist. */
export function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/**
 * Return the git folder of `path`. In a worktree or submodule, `.git` is a file that names the folder. Like git, skip a
 * folder without a HEAD.
 */
function repositoryIn(path: string, top: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile()) return resolve(top, readFileSync(path, "utf8").slice("gitdir: ".length).trimEnd());
  return found?.isDirectory() && statSync(join(path, "HEAD"), { throwIfNoEntry: false }) !== undefined ? path : null;
}

/** Absolute paths of a spec's own files, by name. */
export type SpecFiles = Readonly<Record<string, string>>;

/** @returns Content hashes by name; null for a missing file. */
export const hashFiles = (files: SpecFiles): Record<string, string | null> =>
  Object.fromEntries(Object.entries(files).map(([name, path]) => [name, hashFile(path)]));

function hashFile(path: string): string | null {
  // Skip pipes, whose reading would block forever.
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return null;
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

/** Return a file's path from the top of the working tree, as git writes it; null for a file outside. */
export function pathInside(path: string, { top }: Repository): string | null {
  const folder = realFolder(dirname(path));
  if (findRepository(folder)?.top !== top) return null;
  return relative(top, join(folder, basename(path))).replaceAll(sep, "/");
}
