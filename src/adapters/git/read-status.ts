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
  /** Mode and hash of the file in HEAD, with a space between; null when HEAD has none. */
  readonly inHead: string | null;
}

/**
 * Ask git what differs from HEAD, staged or not, with the untracked files and without the ignored ones.
 *
 * @param top Top of the working tree.
 * @param paths Paths from the top; the whole tree when not given.
 * @returns How git ended, when it has no answer.
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

/** By the kind of an entry: how many fields come before the path, and which of them describe the file in HEAD. */
const fields = new Map([
  ["1", { count: 8, mode: 3, hash: 6 }],
  // In a conflict it is the version called ours.
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

/** The mode of a missing file. */
const none = "000000";
