import { type Dirent, readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { isFolder } from "../../adapters/files/folder.ts";
import { refused } from "../../adapters/files/refused.ts";
import { findRepository, realFolder } from "../../adapters/git/find-repository.ts";
import { InputError } from "../../model/errors.ts";

/**
 * Find the specs below a folder.
 *
 * @param folder Absolute.
 * @throws {InputError} `specs-missing`
 * @throws {EnvironmentError} `file-refused` when the folder itself cannot be read
 */
export function findSpecs(folder: string): readonly string[] {
  if (!isFolder(folder)) throw specsMissing(folder, "a folder");
  refused("read", folder, () => readdirSync(folder));
  const found = specsBelow(folder);
  if (found.length === 0) throw specsMissing(folder, "a folder with a `tasks.md` below it");
  return found;
}

/**
 * List the folders with a `tasks.md` below a folder, including itself, sorted by path. Skips hidden folders,
 * `node_modules`, links, and folders that cannot be read.
 *
 * @param folder Absolute.
 */
export function specsBelow(folder: string): readonly string[] {
  if (!isFolder(folder)) return [];
  return [...foldersBelow(realFolder(folder))]
    .filter(({ files }) => files.includes("tasks.md"))
    .map(({ path }) => path);
}

interface ReadFolder {
  readonly path: string;
  readonly files: readonly string[];
}

/**
 * Visit a folder and its subfolders, sorted by path. Skips `node_modules`, links, and folders that cannot be read.
 *
 * @param opens Whether to visit a hidden folder of that name.
 */
export function* foldersBelow(path: string, opens = (_hidden: string): boolean => false): Generator<ReadFolder> {
  const entries = entriesOf(path).sort((a, b) => (a.name < b.name ? -1 : 1));
  yield { path, files: entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name) };
  for (const { name } of entries.filter((entry) => entry.isDirectory() && entry.name !== "node_modules")) {
    if (!name.startsWith(".") || opens(name)) yield* foldersBelow(join(path, name), opens);
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Labels of specs found below a folder: their names, or paths for specs with the same name. */
export function namesOf(specs: readonly string[], top: string): readonly string[] {
  const names = specs.map((spec) => basename(spec));
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return specs.map((spec, at) => {
    const name = names[at] ?? "";
    return counts.get(name) === 1 ? name : relative(top, spec) || name;
  });
}

/**
 * Choose the workspace of a spec if none is given: for a spec in a `specs` folder, the folder above it; for any other
 * spec, the top of its repository; without a repository, the folder of the search.
 *
 * @param spec Absolute, without links.
 */
export function workspaceFor(spec: string, folder: string): string {
  const above = dirname(spec);
  if (basename(above) === "specs") return dirname(above);
  return findRepository(spec)?.top ?? realFolder(folder);
}

/**
 * Folder that only one run at a time may change: the working tree of the repository, or the workspace if there is no
 * repository.
 */
export const treeOf = (workspace: string): string => findRepository(workspace)?.top ?? realFolder(workspace);

/**
 * Default number of runs at a time: the number of processors, since Verify commands build and test, and at most 4,
 * since agent accounts limit parallel requests.
 */
export const defaultJobs = (): number => Math.min(4, Math.max(2, availableParallelism()));

const specsMissing = (folder: string, expected: string): InputError =>
  new InputError(`Cannot find specs below \`${folder}\`, expected ${expected}`, {
    code: "specs-missing",
    hint: "Name the folder that holds the specs or their repositories, such as `.`",
  });
