import { callGit, type GitEnd } from "./call-git.ts";
import { isHash } from "./read-head.ts";

/** The working tree against HEAD. */
export interface Status {
  /** Full hash of HEAD; null before the first commit. */
  readonly head: string | null;
  readonly detached: boolean;
  readonly dirty: readonly DirtyPath[];
}

export interface DirtyPath {
  /** From the top of the working tree. */
  readonly path: string;
  readonly tracked: boolean;
  /** Mode and hash of what HEAD has there, with a space between; null for nothing. */
  readonly inHead: string | null;
}

/**
 * Ask git what differs from HEAD, staged or not, with the untracked files and without the ignored ones.
 *
 * @param top Top of the working tree.
 * @param paths From there; all of it when not given.
 * @returns What git ended with where it has no answer.
 */
export async function readStatus(
  top: string,
  paths: readonly string[] = [],
): Promise<Status | { readonly end: GitEnd | null }> {
  const format = ["--porcelain=v2", "--branch", "-z", "--no-renames", "--untracked-files=all"];
  const end = await callGit(["status", ...format, "--", ...paths], { cwd: top });
  return end?.exitCode === 0 ? parseStatus(end.stdout) : { end };
}

function parseStatus(stdout: string): Status {
  const entries = stdout.split("\0");
  const header = (name: string): string =>
    entries.find((entry) => entry.startsWith(`# ${name} `))?.slice(name.length + 3) ?? "";
  const head = header("branch.oid");
  return {
    head: isHash(head) ? head : null,
    detached: header("branch.head") === "(detached)",
    dirty: entries.flatMap(parseEntry),
  };
}

/** How many fields stand before the path, by the kind of an entry, and which of them tell what HEAD has there. */
const fields = new Map([
  ["1", { count: 8, mode: 3, hash: 6 }],
  // Of a conflict it is what is called ours.
  ["u", { count: 10, mode: 4, hash: 8 }],
  ["?", { count: 1, mode: null, hash: null }],
]);

function parseEntry(entry: string): DirtyPath[] {
  const kind = entry.charAt(0);
  const known = fields.get(kind);
  if (known === undefined) return [];
  const words = entry.split(" ");
  const inHead = known.mode === null ? none : `${words[known.mode]} ${words[known.hash]}`;
  const path = words.slice(known.count).join(" ");
  return [{ path, tracked: kind !== "?", inHead: inHead.startsWith(none) ? null : inHead }];
}

/** The mode of what is not there. */
const none = "000000";
