import { existsSync } from "node:fs";
import { join } from "node:path";
import { callGit, type GitEnd, gitRefused, type Programs, reasonOf } from "./call-git.ts";
import { isHash } from "./read-head.ts";
import { utf8 } from "./trees/tree-store.ts";

export interface Status {
  /** Full hash of HEAD; null before the first commit. */
  readonly head: string | null;
  readonly detached: boolean;
  readonly dirty: readonly DirtyPath[];
}

export interface DirtyPath {
  /** From the top of the working tree. */
  readonly path: string;
  /** The path with one character per byte, for git: a name need not be UTF-8. */
  readonly bytes: string;
  readonly tracked: boolean;
  /** Mode and hash of the file in HEAD, separated by a space; null if HEAD does not contain it. */
  readonly inHead: string | null;
}

interface StatusOptions {
  /** Paths from the top (the whole tree by default). */
  readonly paths?: readonly string[];
  readonly programs?: Programs;
}

/**
 * Read all differences from HEAD, staged or not, and untracked files, but no ignored files. In a submodule, only the
 * commit is compared.
 *
 * @param top Top of the working tree.
 * @returns The result of the git call instead, if it failed.
 */
export async function readStatus(
  top: string,
  { paths = [], programs = {} }: StatusOptions = {},
): Promise<Status | { readonly end: GitEnd | null }> {
  const format = ["--porcelain=v2", "--branch", "-z", "--no-renames", "--untracked-files=all"];
  // In a submodule, git would start a second git process, and that process would run programs of the submodule.
  const end = await callGit(["status", ...format, "--ignore-submodules=dirty", "--", ...paths], {
    ...{ cwd: top, programs, bytes: true },
  });
  return end?.exitCode === 0 ? parseStatus(end.stdout) : { end };
}

/** Like `readStatus` for the whole tree, but a submodule with any difference counts as dirty. */
export async function readWholeStatus(top: string, programs: Programs): ReturnType<typeof readStatus> {
  const status = await readStatus(top, { programs });
  if ("end" in status || status.head === null) return status;
  const dirty = [...status.dirty];
  for (const { path, bytes, inHead } of await submodulesOf(top, status.head)) {
    const isListed = dirty.some((entry) => entry.path === path);
    if (isListed || !existsSync(join(top, path, ".git"))) continue;
    const inside = await readWholeStatus(join(top, path), programs);
    if ("end" in inside) return inside;
    if (inside.dirty.length > 0) dirty.push({ path, bytes, tracked: true, inHead });
  }
  return { ...status, dirty };
}

type Submodule = Pick<DirtyPath, "path" | "bytes" | "inHead">;

/** Cache the submodules of the last commit, because every call needs them. */
let last: { readonly top: string; readonly head: string; readonly submodules: readonly Submodule[] } | undefined;

async function submodulesOf(top: string, head: string): Promise<readonly Submodule[]> {
  if (last?.top !== top || last.head !== head) {
    const end = await callGit(["ls-tree", "-r", "-d", "-z", "--full-tree", head], { cwd: top, bytes: true });
    const submodules = (end?.exitCode === 0 ? end.stdout : "").split("\0").flatMap((line) => {
      const [, hash, bytes] = /^160000 commit (\S+)\t(.+)$/s.exec(line) ?? [];
      return hash === undefined || bytes === undefined ? [] : [{ path: utf8(bytes), bytes, inHead: `160000 ${hash}` }];
    });
    last = { top, head, submodules };
  }
  return last.submodules;
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

/** By entry kind: number of fields before the path, and the positions of the fields about the file in HEAD. */
const fields = new Map([
  ["1", { count: 8, mode: 3, hash: 6 }],
  // In a conflict, take the version that git calls `ours`.
  ["u", { count: 10, mode: 4, hash: 8 }],
  ["?", { count: 1, mode: null, hash: null }],
]);

function parseEntry(entry: string): DirtyPath[] {
  const kind = entry.charAt(0);
  const known = fields.get(kind);
  if (known === undefined) return [];
  const words = entry.split(" ");
  const inHead = known.mode === null ? none : `${words[known.mode]} ${words[known.hash]}`;
  const bytes = words.slice(known.count).join(" ");
  return [{ path: utf8(bytes), bytes, tracked: kind !== "?", inHead: inHead.startsWith(none) ? null : inHead }];
}

const none = "000000";

/** Paths relative to the top of the repository. Folders end with a slash. */
export interface Untracked {
  readonly untracked: readonly string[];
  readonly ignored: readonly string[];
  readonly changed: readonly string[];
}

export const nothingUntracked: Untracked = { untracked: [], ignored: [], changed: [] };

/**
 * List untracked paths and differences from HEAD. A folder without tracked files is one entry.
 *
 * @throws {EnvironmentError} `git-refused`
 */
export async function readUntracked(top: string, programs: Programs): Promise<Untracked> {
  const which = ["--untracked-files=normal", "--ignored=matching", "--ignore-submodules=dirty"];
  const end = await callGit(["status", "--porcelain=v2", "-z", "--no-renames", ...which], {
    ...{ cwd: top, programs, bytes: true },
  });
  if (end?.exitCode !== 0) throw gitRefused("list untracked files", top, reasonOf(end));
  const entries = end.stdout.split("\0");
  const changed = parseStatus(end.stdout).dirty.flatMap(({ path, tracked }) => (tracked ? [path] : []));
  const pathsOf = (kind: string): string[] =>
    entries.flatMap((entry) => (entry.startsWith(kind) ? [utf8(entry.slice(kind.length))] : []));
  return { untracked: pathsOf("? "), ignored: pathsOf("! "), changed };
}

export function untrackedIn({
  untracked,
  ignored,
}: Pick<Untracked, "untracked" | "ignored">): (path: string) => boolean {
  // Ignore the kind of entry: a listed file may have become a folder, and a folder a file.
  const listed = new Set([...untracked, ...ignored].map((path) => path.replace(/\/$/, "")));
  return (path) => {
    if (listed.has(path)) return true;
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) {
      if (listed.has(path.slice(0, at))) return true;
    }
    return false;
  };
}
