import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { refused } from "../refused.ts";

/** A repository as the file system shows it. */
export interface Repository {
  /** Absolute folder of the working tree, without symbolic links. */
  readonly top: string;
  /** Absolute folder of what is its own: its HEAD, its index, its locks. */
  readonly folder: string;
}

/**
 * Find the repository whose working tree holds a folder, without starting git; null outside of any.
 *
 * Whether git would accept it is another matter: only git knows.
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

/** The path that symbolic links lead to; as it is where nothing stands. */
export function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/** In a worktree or submodule `.git` is a file that names the folder. One without a HEAD is passed over, as git does. */
function repositoryIn(path: string, top: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile()) return resolve(top, readFileSync(path, "utf8").slice("gitdir: ".length).trimEnd());
  return found?.isDirectory() && statSync(join(path, "HEAD"), { throwIfNoEntry: false }) !== undefined ? path : null;
}
