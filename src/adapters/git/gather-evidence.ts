import { lstatSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { plainLine } from "../../markdown/text/plain-line.ts";
import type { GitEvidence, GitMark } from "../../model/git-evidence.ts";
import { callGit, gitRefused, reasonOf } from "./call-git.ts";
import { hashFiles, pathInside, type Repository, type SpecFiles } from "./find-repository.ts";
import type { DirtyPath, Status } from "./read-status.ts";

const maxChanged = 200;

/**
 * @param workspace Base folder of paths, without symbolic links.
 * @throws {EnvironmentError} `git-refused`
 */
export async function gatherEvidence(
  { repository, status, mark }: { readonly repository: Repository; readonly status: Status; readonly mark: GitMark },
  { workspace, specFiles }: { readonly workspace: string; readonly specFiles: SpecFiles },
): Promise<GitEvidence> {
  const { top } = repository;
  const moves = await readMoves(top, mark.head, status.head);
  const dirty = new Set(status.dirty.map(({ path }) => path));
  const spec = readSpec(specFiles, mark, repository);
  // The mark has hashes of the spec's files only. For other files, use the time of the last change.
  const isNew = ({ path }: DirtyPath): boolean => spec.get(path)?.changed ?? changedSince(join(top, path), mark.at);
  const paths = new Set(moves.paths);
  for (const entry of status.dirty) {
    if (paths.size >= maxChanged) break;
    if (!paths.has(entry.path) && isNew(entry)) paths.add(entry.path);
  }
  return {
    headBefore: mark.head,
    headAfter: status.head,
    detached: status.detached,
    rewritten: moves.rewritten,
    commits: moves.commits,
    changed: [...paths].slice(0, maxChanged).map((path) => relative(workspace, join(top, path))),
    uncommitted: [...spec].flatMap(([path, { name, changed }]) => (changed && dirty.has(path) ? [name] : [])),
  };
}

function readSpec(files: SpecFiles, mark: GitMark, repository: Repository) {
  const hashes = hashFiles(files);
  return new Map(
    Object.entries(files).flatMap(([name, file]) => {
      const path = pathInside(file, repository);
      const changed = (mark.files[name] ?? null) !== (hashes[name] ?? null);
      return path === null ? [] : [[path, { name, changed }] as const];
    }),
  );
}

/** The kernel dates a change by its last clock tick, at most 10 ms ago. */
const tickMs = 10;

/**
 * Return whether a file's content, name or mode changed at or after a time. For a missing file, use the time of its
 * folder: then another entry created or removed in that folder counts as a change, too.
 *
 * @param path Absolute.
 * @param at Milliseconds since 1970.
 */
function changedSince(path: string, at: number): boolean {
  try {
    // Use the change time, because `mv` and `cp -p` keep the modification time.
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found !== undefined) return found.ctimeMs >= at - tickMs;
    return changedSince(dirname(path), at);
  } catch {
    // Count an unreadable file as changed: git may have been able to read it.
    return true;
  }
}

interface Moves extends Pick<GitEvidence, "rewritten" | "commits"> {
  readonly paths: readonly string[];
}

const maxCommits = 50;
const maxSubject = 200;

/**
 * Read the commits between two states of HEAD. Does not call git if the states are equal.
 *
 * @throws {EnvironmentError} `git-refused`
 */
async function readMoves(top: string, before: string | null, after: string | null): Promise<Moves> {
  if (before === after) return { rewritten: false, commits: [], paths: [] };
  if (after === null) return lost;
  const rewritten = before !== null && (await isRewritten(top, before, after));
  if (rewritten === null) return lost;
  const range = before === null ? after : `${before}..${after}`;
  const format = ["-z", "--no-show-signature", "--encoding=UTF-8", "--format=%h %s"];
  const [commits, paths] = await Promise.all([
    readList(top, ["log", ...format, `--max-count=${maxCommits}`, range, "--"]),
    readList(
      top,
      before === null
        ? ["ls-tree", "-r", "-z", "--name-only", "--full-tree", after]
        : ["diff-tree", "-r", "-z", "--name-only", "--no-renames", before, after],
    ),
  ]);
  return { rewritten, commits: commits.map(parseCommit), paths };
}

/** The earlier commit is gone, so the changes are unknown. */
const lost: Moves = { rewritten: true, commits: [], paths: [] };

/** Return whether `after` does not descend from `before`; null if `before` is gone. */
async function isRewritten(top: string, before: string, after: string): Promise<boolean | null> {
  const end = await callGit(["merge-base", "--is-ancestor", before, after], { cwd: top });
  if (end?.exitCode === 0 || end?.exitCode === 1) return end.exitCode === 1;
  if (end?.exitCode === 128) return null;
  throw gitRefused("read history", top, reasonOf(end));
}

async function readList(top: string, args: readonly string[]): Promise<string[]> {
  const end = await callGit(args, { cwd: top });
  if (end?.exitCode !== 0) throw gitRefused("read history", top, reasonOf(end));
  return end.stdout.split("\0").filter((item) => item !== "");
}

function parseCommit(line: string): GitEvidence["commits"][number] {
  const at = line.indexOf(" ");
  return { hash: line.slice(0, at), subject: plainLine(line.slice(at + 1), maxSubject) };
}
