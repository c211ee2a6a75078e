import { createHash } from "node:crypto";
import { join, relative } from "node:path";
import { declaredMarks } from "./declared-marks.ts";
import { realFolder } from "./git/find-repository.ts";
import { readTreeMarks } from "./git/tree-marks.ts";
import { isWithin } from "./is-within.ts";

export interface FileStateOptions {
  /** Absolute folder; declared paths are given from there. */
  readonly workspace: string;
  /** Absolute folder of the spec, whose own files do not count. */
  readonly specFolder: string;
}

const nameLength = 16;

/**
 * Give each state of the files a name, to tell whether it is the same: of the whole repository around a workspace,
 * commits included, and where there is none of the paths that a task declares.
 *
 * @returns Takes those paths as `readPaths` gives them. Answers 16 hexadecimal digits, or null when nothing can be
 *   told. Times, and what is staged, do not change the name.
 */
export function fileState({
  workspace,
  specFolder,
}: FileStateOptions): (declared: readonly string[]) => Promise<string | null> {
  return async (declared) => {
    const folder = realFolder(workspace);
    const isLeftOut = ownPaths(folder, realFolder(specFolder));
    const tree = await readTreeMarks(folder, isLeftOut);
    if (tree.kind === "unknown") return null;
    const marks = tree.kind === "known" ? tree.marks : declaredMarks(folder, declared, isLeftOut);
    if (marks.length === 0) return null;
    return createHash("sha256").update(marks.join("\n")).digest("hex").slice(0, nameLength);
  };
}

/** What the coordinator writes itself: all in the spec's folder, unless the work is done in there as well. */
function ownPaths(workspace: string, specFolder: string): (path: string) => boolean {
  if (!isWithin(workspace, specFolder)) return (path) => isWithin(path, specFolder);
  return (path) => isWithin(path, join(specFolder, ".fixpoint")) || ownFile.test(relative(specFolder, path));
}

const ownFile = /^(?:tasks\.md|\.progress[^/]*\.md|\.ralph-state\.json|stuck-report\.md|SUMMARY\.md)$/;
