import { callGit, gitRefused, reasonOf } from "./call-git.ts";
import type { Programs } from "./repository-programs.ts";

/** Paths that a repository does not track, relative to its top. Folders end with a slash. */
export interface Untracked {
  readonly untracked: readonly string[];
  readonly ignored: readonly string[];
}

export const nothingUntracked: Untracked = { untracked: [], ignored: [] };

/**
 * List what git does not track. A folder in which nothing is tracked is one entry, whatever is in it.
 *
 * @throws {EnvironmentError} `git-refused`
 */
export async function readUntracked(top: string, programs: Programs): Promise<Untracked> {
  const which = ["--untracked-files=normal", "--ignored=matching", "--ignore-submodules=dirty"];
  const end = await callGit(["status", "--porcelain=v2", "-z", "--no-renames", ...which], { cwd: top, programs });
  if (end?.exitCode !== 0) throw gitRefused("list untracked files", top, reasonOf(end));
  const entries = end.stdout.split("\0");
  const pathsOf = (kind: string): string[] =>
    entries.flatMap((entry) => (entry.startsWith(kind) ? [entry.slice(kind.length)] : []));
  return { untracked: pathsOf("? "), ignored: pathsOf("! ") };
}

/** Tells whether a list has a path or a folder above it. */
export function untrackedIn({ untracked, ignored }: Untracked): (path: string) => boolean {
  // A file may have become a folder since.
  const listed = new Set([...untracked, ...ignored].map((path) => path.replace(/\/$/, "")));
  return (path) => {
    if (listed.has(path)) return true;
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) {
      if (listed.has(path.slice(0, at))) return true;
    }
    return false;
  };
}
