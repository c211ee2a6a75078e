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
  /** Absolute folder of the spec, whose own files are ignored. */
  readonly specFolder: string;
  /** Programs of the repository that git may run (none by default). */
  readonly programs?: Programs;
  /** Limits for reading a workspace without a repository (20 000 entries and 50 ms if not given). */
  readonly limits?: LookLimits;
  /** Called once if the limits are exceeded; from then on, only declared paths are included. */
  readonly onTooMuch?: () => void;
}

const nameLength = 16;

/**
 * Fingerprint the files: equal fingerprints mean equal states. Covers the whole repository around a workspace, commits
 * included. Without a repository: every file below the workspace or, if there are too many, the paths that a task
 * declares.
 *
 * @returns A function of the declared paths (from `readPaths`). It returns 16 hex digits, or null if the state is
 * unknown. File times and staging do not matter.
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
    // Mark declared paths as well: the full scan may skip them.
    const marks =
      tree.kind === "known"
        ? tree.marks
        : [...new Set([...marksBelow(folder, isLeftOut), ...declaredMarks(folder, declared, isLeftOut)])];
    // An interrupted scan cannot be compared with the previous one.
    if (isTooMuch && (marks.length === 0 || !wasTooMuch)) return null;
    return createHash("sha256").update(marks.join("\n")).digest("hex").slice(0, nameLength);
  };
}

/** Files that the coordinator writes itself: the whole spec folder, unless the workspace is inside it. */
function ownPaths(workspace: string, specFolder: string): (path: string) => boolean {
  if (!isWithin(workspace, specFolder)) return (path) => isWithin(path, specFolder);
  return (path) => isWithin(path, join(specFolder, ".fixpoint")) || ownFile.test(relative(specFolder, path));
}

const ownFile = /^(?:tasks\.md|\.progress[^/]*\.md|\.ralph-state\.json|stuck-report\.md|SUMMARY\.md)$/;

/** Limits for reading a workspace. */
interface LookLimits {
  /** Files, folders and other entries. */
  readonly entries: number;
  readonly milliseconds: number;
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
}

/** Default limits. Each attempt costs two scans, before and after it. */
export const lookLimits: LookLimits = { entries: 20_000, milliseconds: 50, now: () => performance.now() };

/**
 * Mark the state of every file below a workspace.
 *
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
 * Mark the state of declared files, folders and patterns. A pattern stands for everything below the folder that it
 * begins with. Paths that lead out of the workspace are skipped.
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

/** The target of a declared path, in a list; empty if the target is outside of the workspace. */
function placeOf(path: string, workspace: string): string[] {
  if (path.includes("\0")) return [];
  const named = resolve(workspace, path);
  const place = existsSync(named) ? named : resolve(workspace, path.replace(pattern, ""));
  const isInside =
    isWithin(place, workspace) && (place === workspace || isWithin(realFolder(dirname(place)), workspace));
  return isInside ? [place] : [];
}

/** Matches the rest of a path, from the first name that contains a wildcard. */
const pattern = /(?<![^/])[^/*{[]*[*{[].*$/s;

/** The state of a working tree, as far as git reports it. */
type TreeMarks =
  /** No repository, or one that git does not accept. */
  | { readonly kind: "outside" }
  /** A repository whose file state git cannot report. */
  | { readonly kind: "unknown" }
  /** A line for HEAD and one for each path that differs from it. */
  | { readonly kind: "known"; readonly marks: readonly string[] };

/**
 * Describe the working tree that contains a folder, as lines to compare: one for HEAD, and one for each path that
 * differs from HEAD. Staging and file times do not matter.
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

/** Deduplicate and sort paths: a file missing only in the index is listed twice, as deleted and as untracked. */
function byPath(dirty: readonly DirtyPath[]): (readonly [path: string, inHead: string | null])[] {
  const found = new Map<string, string | null>();
  for (const { path, inHead } of dirty) found.set(path, inHead ?? found.get(path) ?? null);
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Whether a file is as in HEAD: git also lists files that differ only in the index. */
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
