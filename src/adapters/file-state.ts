import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { entriesBelow, type FileContent, fileReader, filesBelow, markLine } from "./files/file-content.ts";
import { isWithin } from "./files/folder.ts";
import { callGit, type Programs } from "./git/call-git.ts";
import { findRepository, realFolder } from "./git/find-repository.ts";
import { readHead } from "./git/read-head.ts";
import { type DirtyPath, readWholeStatus } from "./git/read-status.ts";

interface FileStateOptions {
  /** Absolute folder; declared paths are relative to it. */
  readonly workspace: string;
  /** Absolute folder of the spec. Its own files are ignored. */
  readonly specFolder: string;
  /** Programs of the repository that git may run (none by default). */
  readonly programs?: Programs;
  /** Limits for reading a workspace without a repository (20 000 entries and 50 ms by default). */
  readonly limits?: LookLimits;
  /** Called once if the limits are exceeded; from then on, only declared paths are read. */
  readonly onTooMuch?: () => void;
}

const nameLength = 16;

/**
 * Fingerprint the files: equal fingerprints mean equal states. Covers the whole repository around a workspace, commits
 * included. Without a repository, covers every file below the workspace or, if there are too many files, the paths that
 * a task declares.
 *
 * @returns A function from declared paths (of `readPaths`) to 16 hex digits, or to null if the state is unknown. File
 *   times and staging do not matter.
 */
export function fileState({
  workspace,
  specFolder,
  programs = {},
  limits = lookLimits,
  onTooMuch = () => {},
}: FileStateOptions): (declared: readonly string[]) => Promise<string | null> {
  let isTooMuch = false;
  const marksBelow = (folder: string, isLeftOut: (path: string) => boolean): string[] => {
    const marks = isTooMuch ? [] : workspaceMarks(folder, isLeftOut, limits);
    if (marks !== null) return marks;
    isTooMuch = true;
    onTooMuch();
    return [];
  };
  return async (declared) => {
    const wasTooMuch = isTooMuch;
    const folder = realFolder(workspace);
    const isLeftOut = ownPaths(folder, realFolder(specFolder));
    const tree = await readTreeMarks(folder, isLeftOut, programs);
    if (tree.kind === "unknown") return null;
    // Mark declared paths separately, because the scan may skip them.
    const marks =
      tree.kind === "known"
        ? tree.marks
        : [...new Set([...marksBelow(folder, isLeftOut), ...declaredMarks(folder, declared, isLeftOut)])];
    // The first fingerprint after an interrupted scan covers other files than the previous one, so return null.
    if (isTooMuch && (marks.length === 0 || !wasTooMuch)) return null;
    return createHash("sha256").update(marks.join("\n")).digest("hex").slice(0, nameLength);
  };
}

/** Files that the coordinator itself writes: the whole spec folder, unless the workspace is inside it. */
function ownPaths(workspace: string, specFolder: string): (path: string) => boolean {
  if (!isWithin(workspace, specFolder)) return (path) => isWithin(path, specFolder);
  return (path) => isWithin(path, join(specFolder, ".fixpoint")) || ownFile.test(relative(specFolder, path));
}

const ownFile = /^(?:tasks\.md|\.progress[^/]*\.md|\.ralph-state\.json|stuck-report\.md|SUMMARY\.md)$/;

interface LookLimits {
  readonly entries: number;
  readonly milliseconds: number;
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
}

/** Keep these limits low: each attempt needs two scans. */
export const lookLimits: LookLimits = { entries: 20_000, milliseconds: 50, now: () => performance.now() };

/**
 * @param isLeftOut Whether to ignore a file or folder, by absolute path.
 * @returns A line per file; null if the limits are exceeded.
 */
function workspaceMarks(
  workspace: string,
  isLeftOut: (path: string) => boolean,
  { entries, milliseconds, now }: LookLimits,
): string[] | null {
  const read = fileReader();
  const end = now() + milliseconds;
  const marks: string[] = [];
  let left = entries;
  for (const path of entriesBelow(workspace, isLeftOut)) {
    if (left === 0 || now() > end) return null;
    left -= 1;
    if (path !== null) marks.push(markLine(path, read(path)));
  }
  return marks;
}

/**
 * Mark the state of declared files, folders and patterns. A pattern covers the whole folder before its first wildcard.
 * Paths that lead out of the workspace are skipped.
 *
 * @param workspace Absolute, without symbolic links.
 * @param isLeftOut Whether to ignore a path, by its absolute name.
 * @returns A line for each file, and for each declared path that does not exist.
 */
export function declaredMarks(
  workspace: string,
  declared: readonly string[],
  isLeftOut: (path: string) => boolean,
): string[] {
  const read = fileReader();
  const places = new Set(declared.flatMap((path) => placeOf(path, workspace)));
  return [...places].sort().flatMap((place) => {
    if (isLeftOut(place)) return [];
    const content = read(place);
    const below = content.kind === "folder" ? filesBelow(place, isLeftOut) : [];
    return [markLine(place, content), ...below.map((path) => markLine(path, read(path)))];
  });
}

/** Return a list with the target of a declared path; empty if the target is outside of the workspace. */
function placeOf(path: string, workspace: string): string[] {
  if (path.includes("\0")) return [];
  const named = resolve(workspace, path);
  const place = existsSync(named) ? named : resolve(workspace, path.replace(pattern, ""));
  const isInside =
    isWithin(place, workspace) && (place === workspace || isWithin(realFolder(dirname(place)), workspace));
  return isInside ? [place] : [];
}

/** Match the rest of a path, from the first name that contains a wildcard. */
const pattern = /(?<![^/])[^/*{[]*[*{[].*$/s;

type TreeMarks =
  /** There is no repository, or git rejects it. */
  | { readonly kind: "outside" }
  /** Git cannot report the state of the files. */
  | { readonly kind: "unknown" }
  /** A line for HEAD, and a line for each path that differs from HEAD. */
  | { readonly kind: "known"; readonly marks: readonly string[] };

/**
 * Describe the working tree that contains a folder, as lines to compare: one line for HEAD, and one line for each path
 * that differs from HEAD. Staging and file times do not matter.
 *
 * @param isLeftOut Whether to ignore a path; absolute, without symbolic links.
 * @param programs Programs of the repository that git may run to read the state.
 * @throws {EnvironmentError} `file-refused`
 */
export async function readTreeMarks(
  folder: string,
  isLeftOut: (path: string) => boolean,
  programs: Programs = {},
): Promise<TreeMarks> {
  const repository = findRepository(folder);
  if (repository === null) return { kind: "outside" };
  const { top } = repository;
  const status = await readWholeStatus(top, programs);
  if ("end" in status) {
    const accepted = await callGit(["rev-parse", "--git-dir"], { cwd: top });
    return { kind: accepted?.exitCode === 0 ? "unknown" : "outside" };
  }
  const read = fileReader();
  const marks = [`HEAD ${status.head}`];
  for (const [path, inHead] of byPath(status.dirty)) {
    const place = join(top, path);
    if (isLeftOut(place)) continue;
    const content = read(place);
    if (isAsIn(inHead, content)) continue;
    marks.push(markLine(path, content));
    if (content.kind === "folder") marks.push(...nestedMarks(place, isLeftOut, read));
  }
  return { kind: "known", marks };
}

/**
 * Deduplicate and sort paths. If the index lacks an existing file of HEAD, git lists the file twice: as deleted and as
 * untracked.
 */
function byPath(dirty: readonly DirtyPath[]): (readonly [path: string, inHead: string | null])[] {
  const found = new Map<string, string | null>();
  for (const { path, inHead } of dirty) found.set(path, inHead ?? found.get(path) ?? null);
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Compare a file with HEAD: git also lists files that differ from HEAD only in the index. */
function isAsIn(inHead: string | null, content: FileContent): boolean {
  if (content.kind === "missing" || inHead === null) return content.kind === "missing" && inHead === null;
  if (content.kind !== "file" && content.kind !== "link") return false;
  const mode = content.kind === "link" ? "120000" : content.executable ? "100755" : "100644";
  const [modeInHead, hash = ""] = inHead.split(" ");
  if (mode !== modeInHead) return false;
  const algorithm = hash.length === 40 ? "sha1" : "sha256";
  return createHash(algorithm).update(`blob ${content.bytes.length}\0`).update(content.bytes).digest("hex") === hash;
}

/** Mark the files of a submodule or nested repository, which git lists as one entry. */
function nestedMarks(
  folder: string,
  isLeftOut: (path: string) => boolean,
  read: (path: string) => FileContent,
): string[] {
  const files = filesBelow(folder, isLeftOut).map((path) => markLine(path, read(path)));
  return [JSON.stringify(readHead(folder)), ...files];
}
