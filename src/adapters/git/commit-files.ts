import { existsSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { normalize } from "node:path/posix";
import { setTimeout as sleep } from "node:timers/promises";
import { plainLine } from "../../markdown/text/plain-line.ts";
import { EnvironmentError } from "../../model/errors.ts";
import { covers } from "../../model/paths.ts";
import { callGit, type GitEnd, gitRefused, noPrograms, type Programs, reasonOf } from "./call-git.ts";
import { pathInside, type Repository, realFolder, type SpecFiles } from "./find-repository.ts";
import { type DirtyPath, readStatus, type Untracked, untrackedIn } from "./read-status.ts";
import { foldersOf } from "./trees/tree-store.ts";

interface CommitScope {
  readonly workspace: string;
  readonly specFiles: SpecFiles;
  readonly lockTimeoutMs: number;
  readonly programs: Programs;
  readonly find: () => Repository | null;
}

/**
 * Commit exactly the files of the spec as they are on disk, without ignored files. Other staged changes stay staged.
 *
 * @returns Whether a file had changes.
 * @throws {EnvironmentError} `git-locked`, `git-refused`
 */
export function commitFiles(message: string, scope: CommitScope): Promise<boolean> {
  const repository = repositoryIn(scope);
  const asked = pathsInside(scope.specFiles, repository);
  return commitPaths(message, repository, scope, asked, () => true);
}

interface WorkScope extends CommitScope {
  readonly untracked: Untracked;
  /** Files and folders, relative to the workspace, that are always committed. */
  readonly named: readonly string[];
  /** Files and folders, relative to the workspace; other changes are not committed. Undefined for no restriction. */
  readonly changed: readonly string[] | undefined;
}

/**
 * Commit changes in the workspace, except the spec's files, run data, ignored files, and files that were untracked or
 * changed before the run (unless `named` has them).
 *
 * @returns Whether a file had changes.
 * @throws {EnvironmentError} `git-locked`, `git-refused`
 */
export function commitWork(message: string, scope: WorkScope): Promise<boolean> {
  const repository = repositoryIn(scope);
  const inside = relative(repository.top, realFolder(scope.workspace)).replaceAll(sep, "/");
  const own = new Set(Object.values(scope.specFiles).map((file) => pathInside(file, repository)));
  const wasUntracked = untrackedIn(scope.untracked);
  const wasChanged = new Set(scope.untracked.changed);
  const isNamed = namedBy(scope.named);
  const isChanged = placesIn(scope.changed);
  const isWork = ({ path, inHead }: DirtyPath): boolean => {
    const from = inside === "" ? path : path.slice(inside.length + 1);
    if (own.has(path) || runData.test(path)) return false;
    if (isNamed(from)) return true;
    return isChanged(from) && !wasChanged.has(path) && !(inHead === null && wasUntracked(path));
  };
  return commitPaths(message, repository, scope, [inside === "" ? "." : inside], isWork);
}

/** Match paths that are listed or in a listed folder. Undefined matches all paths. */
function placesIn(places: readonly string[] | undefined): (path: string) => boolean {
  const known = new Set(places);
  return (path) => {
    if (places === undefined || known.has(path)) return true;
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) {
      if (known.has(path.slice(0, at))) return true;
    }
    return false;
  };
}

/** Match paths that are named or in a named folder. The workspace itself, or a pattern, matches no path. */
function namedBy(named: readonly string[]): (path: string) => boolean {
  const places = named
    .map((place) => normalize(place.replace(/\/\*{1,2}$/, "")))
    .filter((place) => place !== "." && !place.startsWith("..") && !place.includes("*"));
  return (path) => places.some((place) => covers(place, path));
}

/** Match run data, the temporary file of a restore, and the state file of a spec. */
export const runData = /(?:^|\/)(?:\.fixpoint\/|\.fixpoint-restore\.tmp$|\.ralph-state\.json$)/;

function repositoryIn({ workspace, find }: CommitScope): Repository {
  const repository = find();
  if (repository === null) throw gitRefused("commit", workspace, "there is no repository");
  return repository;
}

async function commitPaths(
  message: string,
  repository: Repository,
  { lockTimeoutMs, programs }: CommitScope,
  asked: readonly string[],
  isMeant: (entry: DirtyPath) => boolean,
): Promise<boolean> {
  const { top } = repository;
  if (asked.length === 0) return false;
  const status = await readStatus(top, { paths: asked, programs });
  if ("end" in status) throw gitRefused("commit", top, reasonOf(status.end));
  const dirty = status.dirty.filter(isMeant);
  if (dirty.length === 0) return false;
  refuseUnfinished(repository);

  // Pass paths on stdin, because they may exceed the length of a command line.
  const call = (args: readonly string[], paths: readonly string[]) =>
    waitForLock(() => callGit(args, { cwd: top, programs, stdin: paths.join("\0"), bytes: true }), lockTimeoutMs);
  const run = (args: readonly string[], paths: readonly string[]) =>
    call([...args, "--pathspec-from-file=-", "--pathspec-file-nul"], paths);
  const paths = withoutReplaced(dirty).map(({ bytes }) => bytes);
  const untracked = dirty.filter(({ tracked }) => !tracked).map(({ bytes }) => bytes);
  // Add untracked files to the index first, because git can commit single paths only from the index. Unlike `git add`,
  // this also adds files outside of a sparse checkout, and all files or none.
  const adding = ["update-index", "--add", "--replace", "-z", "--stdin"];
  // Remove the trailing slash: with a slash, git would silently skip a nested repository that has no commit.
  const names = untracked.map((path) => path.replace(/\/$/, ""));
  const added = names.length === 0 ? null : await call(adding, names);
  if (added !== null && added.exitCode !== 0) throw gitRefused("commit", top, reasonOf(added));
  const said = `--message=${message.replaceAll("\0", "\uFFFD")}`;
  const end = await run(["commit", "--only", "--quiet", "--no-verify", "--cleanup=whitespace", said], paths);
  if (end?.exitCode === 0) return true;
  // The index may differ from HEAD although the files do not.
  const differing =
    end?.exitCode === 1
      ? await callGit(["diff", ...noPrograms, "--name-only", "-z", "HEAD"], { cwd: top, programs, bytes: true })
      : null;
  const differ = new Set(differing?.stdout.split("\0"));
  if (differing?.exitCode === 0 && !paths.some((path) => differ.has(path))) return false;
  if (untracked.length > 0) await run(["rm", "--cached", "--force", "--quiet"], untracked);
  throw gitRefused("commit", top, reasonOf(end));
}

/**
 * Drop files that a new file or the folder of a new file replaces: git removes such files itself, and rejects their
 * names.
 */
function withoutReplaced(dirty: readonly DirtyPath[]): readonly DirtyPath[] {
  const added = dirty.flatMap(({ path, inHead }) => (inHead === null ? [path] : []));
  const [files, folders] = [new Set(added), new Set(added.flatMap(foldersOf))];
  return dirty.filter(({ path }) => !folders.has(path) && !foldersOf(path).some((folder) => files.has(folder)));
}

function pathsInside(files: SpecFiles, repository: Repository): string[] {
  return Object.values(files).map((file) => {
    const path = pathInside(file, repository);
    if (path === null)
      throw gitRefused("commit", repository.top, `the spec's file ${file} is outside of the repository`);
    return path;
  });
}

/**
 * Refuse to commit during an operation such as a merge: the commit would become part of it. During a rebase, git itself
 * would allow the commit.
 */
function refuseUnfinished({ top, folder }: Repository): void {
  const found = unfinished.find(([file]) => existsSync(join(folder, file)));
  if (found !== undefined) throw gitRefused("commit", top, `a ${found[1]} is in progress`);
}

const unfinished = [
  ["MERGE_HEAD", "merge"],
  ["rebase-merge", "rebase"],
  ["rebase-apply", "rebase"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
  // Between two commits of a sequence, only this entry of the list exists.
  ["sequencer", "cherry-pick or revert"],
  ["BISECT_LOG", "bisect"],
] as const;

const firstPauseMs = 50;
const longestPauseMs = 500;
const maxPath = 4096;

/**
 * Retry a git call while a lock of the repository blocks it. The lock is never removed.
 *
 * @throws {EnvironmentError} `git-locked` if the lock remains until the time limit.
 */
async function waitForLock(call: () => Promise<GitEnd | null>, timeoutMs: number): Promise<GitEnd | null> {
  const until = performance.now() + timeoutMs;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const end = await call();
    const lock = end === null || end.exitCode === 0 ? null : lockIn(end.stderr);
    if (lock === null) return end;
    const leftMs = until - performance.now();
    if (leftMs <= 0) throw locked(lock, timeoutMs);
    await sleep(Math.min(pauseMs, leftMs));
  }
}

/** Find the lock file in a message. Any file of the repository may have a lock. */
function lockIn(stderr: string): string | null {
  const [before, after] = ["Unable to create '", "': File exists"];
  const from = stderr.indexOf(before);
  const to = stderr.indexOf(after, from);
  return from === -1 || to === -1 ? null : plainLine(stderr.slice(from + before.length, to), maxPath);
}

const locked = (lock: string, timeoutMs: number): EnvironmentError =>
  new EnvironmentError(`Cannot commit: \`${lock}\` was not removed within ${timeoutMs / 1000} s`, {
    code: "git-locked",
    hint: "A running or crashed git holds this lock. If no git runs there, remove the lock yourself: fixpoint never does",
  });
