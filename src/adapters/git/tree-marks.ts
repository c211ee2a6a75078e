import { createHash } from "node:crypto";
import { join } from "node:path";
import { type FileContent, fileReader, markLine } from "../files/file-content.ts";
import { filesBelow } from "../files/files-below.ts";
import { callGit } from "./call-git.ts";
import { findRepository } from "./find-repository.ts";
import { readHead } from "./read-head.ts";
import { type DirtyPath, readWholeStatus } from "./read-status.ts";
import type { Programs } from "./repository-programs.ts";

/** The state of a working tree, as far as git reports it. */
export type TreeMarks =
  /** There is no repository, or none that git accepts. */
  | { readonly kind: "outside" }
  /** There is one, but git cannot report the state of its files. */
  | { readonly kind: "unknown" }
  /** A line for HEAD and one for each path that differs from it. */
  | { readonly kind: "known"; readonly marks: readonly string[] };

/**
 * Mark the state of the working tree around a folder: its HEAD and all that differs from it. What is staged, and when
 * a file was written, leaves no mark.
 *
 * @param isLeftOut Whether a path does not count; absolute, without symbolic links.
 * @param programs Programs of the repository that git may run for it.
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

/** A file that only the index has lost is listed twice: as deleted, and as untracked. */
function byPath(dirty: readonly DirtyPath[]): (readonly [path: string, inHead: string | null])[] {
  const found = new Map<string, string | null>();
  for (const { path, inHead } of dirty) found.set(path, inHead ?? found.get(path) ?? null);
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Git also lists files that differ only in the index. */
function isAsIn(inHead: string | null, content: FileContent): boolean {
  if (content.kind === "missing" || inHead === null) return content.kind === "missing" && inHead === null;
  if (content.kind !== "file" && content.kind !== "link") return false;
  const mode = content.kind === "link" ? "120000" : content.executable ? "100755" : "100644";
  const [modeInHead, hash = ""] = inHead.split(" ");
  if (mode !== modeInHead) return false;
  const algorithm = hash.length === 40 ? "sha1" : "sha256";
  return createHash(algorithm).update(`blob ${content.bytes.length}\0`).update(content.bytes).digest("hex") === hash;
}

/** A submodule or another repository, which git lists as one entry. */
function nestedMarks(
  folder: string,
  isLeftOut: (path: string) => boolean,
  read: (path: string) => FileContent,
): string[] {
  const files = filesBelow(folder, isLeftOut).map((path) => markLine(path, read(path)));
  return [JSON.stringify(readHead(folder)), ...files];
}
