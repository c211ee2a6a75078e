import { createHash } from "node:crypto";
import { join, relative } from "node:path";
import { declaredMarks } from "./declared-marks.ts";
import { realFolder } from "./git/find-repository.ts";
import { readTreeMarks } from "./git/tree-marks.ts";
import { isWithin } from "./is-within.ts";
import { type LookLimits, lookLimits, workspaceMarks } from "./workspace-marks.ts";

export interface FileStateOptions {
  /** Absolute folder; declared paths are given from there. */
  readonly workspace: string;
  /** Absolute folder of the spec, whose own files do not count. */
  readonly specFolder: string;
  /** How much of a workspace without a repository is looked at: 20 000 entries, and 50 ms, when not given. */
  readonly limits?: LookLimits;
  /** Told once that there is more, so that only declared paths count from then on. */
  readonly onTooMuch?: () => void;
}

const nameLength = 16;

/**
 * Give each state of the files a name, to tell whether it is the same: of the whole repository around a workspace,
 * commits included, and where there is none of every file below the workspace, or of the paths that a task declares if
 * there are too many.
 *
 * @returns Takes those paths as `readPaths` gives them. Answers 16 hexadecimal digits, or null when nothing can be
 *   told. Times, and what is staged, do not change the name.
 */
export function fileState({
  workspace,
  specFolder,
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
    const tree = await readTreeMarks(folder, isLeftOut);
    if (tree.kind === "unknown") return null;
    // A path that is declared may be one that a look at all passes over.
    const marks =
      tree.kind === "known"
        ? tree.marks
        : [...new Set([...marksBelow(folder, isLeftOut), ...declaredMarks(folder, declared, isLeftOut)])];
    // A look that had to stop says nothing of what the look before it has seen.
    if (isTooMuch && (marks.length === 0 || !wasTooMuch)) return null;
    return createHash("sha256").update(marks.join("\n")).digest("hex").slice(0, nameLength);
  };
}

/** What the coordinator writes itself: all in the spec's folder, unless the work is done in there as well. */
function ownPaths(workspace: string, specFolder: string): (path: string) => boolean {
  if (!isWithin(workspace, specFolder)) return (path) => isWithin(path, specFolder);
  return (path) => isWithin(path, join(specFolder, ".fixpoint")) || ownFile.test(relative(specFolder, path));
}

const ownFile = /^(?:tasks\.md|\.progress[^/]*\.md|\.ralph-state\.json|stuck-report\.md|SUMMARY\.md)$/;
