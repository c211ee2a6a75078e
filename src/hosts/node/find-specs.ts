import { type Dirent, readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import { isFolder } from "../../adapters/files/folder.ts";
import { refused } from "../../adapters/files/refused.ts";
import { findRepository, realFolder } from "../../adapters/git/find-repository.ts";
import { InputError } from "../../model/errors.ts";

/**
 * Folders of a workspace in which dialects keep their specs. `.claude/specs` and similar paths precede `specs`, since
 * they end with it.
 */
const places = [
  ".claude/specs",
  ".kiro/specs",
  ".planning/phases",
  ".spec-workflow/specs",
  ".specify/specs",
  "openspec/changes",
  "specs",
];

const hiddenPlaces = new Set(places.map((place) => place.split("/", 1).join()).filter((name) => name.startsWith(".")));

/** List the existing folders in which dialects keep their specs, absolute. A folder and a link to it count once. */
export function placesIn(workspace: string): readonly string[] {
  const found = places.map((place) => join(workspace, place)).filter(isFolder);
  return [...new Map(found.map((place) => [realFolder(place), place])).values()];
}

const placeOf = (spec: string): string | undefined => places.find((place) => dirname(spec).endsWith(`/${place}`));

/** List the specs of a workspace that are in the folders of dialects. */
export const specsIn = (workspace: string): readonly string[] =>
  placesIn(workspace)
    .flatMap(specsBelow)
    .filter((spec) => !isArchived(spec));

/** Whether OpenSpec has archived a spec: its plan is finished. */
export const isArchived = (spec: string): boolean => basename(dirname(spec)) === "archive";

/** Specs in the same folder, including this spec; only this spec if the folder is no folder of a dialect. */
export const specsBeside = (spec: string): readonly string[] =>
  placeOf(spec) === undefined ? [spec] : findSpecs(dirname(spec));

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
 * List the folders with a `tasks.md`: a folder and its subfolders, sorted by path. Skips what `foldersBelow` skips.
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
 * Visit a folder and its subfolders, sorted by path. Skips links, `node_modules`, folders that cannot be read, and
 * hidden folders in which no dialect keeps its specs.
 */
export function* foldersBelow(path: string): Generator<ReadFolder> {
  const entries = entriesOf(path).sort((a, b) => (a.name < b.name ? -1 : 1));
  yield { path, files: entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name) };
  for (const { name } of entries.filter((entry) => entry.isDirectory())) {
    if (isVisited(name, path)) yield* foldersBelow(join(path, name));
  }
}

function isVisited(name: string, above: string): boolean {
  if (name.startsWith(".")) return hiddenPlaces.has(name);
  // Claude Code keeps copies of the repository in `.claude/worktrees`.
  return name !== "node_modules" && !(name === "worktrees" && basename(above) === ".claude");
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
 * Choose the workspace of a spec if no workspace is given. For a spec in a folder of a dialect, such as `specs`, it is
 * the parent of that folder; for any other spec, the top of the repository, or `folder` without a repository.
 *
 * @param spec Absolute, without links.
 */
export function workspaceFor(spec: string, folder: string): string {
  const place = placeOf(spec);
  if (place !== undefined) return resolve(dirname(spec), place.replaceAll(/[^/]+/g, ".."));
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
