import { existsSync, lstatSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { checkWorkspace, isFolder, isWithin, shortPath } from "../../adapters/files/folder.ts";
import { readRegular } from "../../adapters/files/own-file.ts";
import { refused } from "../../adapters/files/refused.ts";
import { lastPlan } from "../../adapters/journal/read-journal.ts";
import { type SpecAddress, shellWord } from "../../model/command-line.ts";
import { InputError } from "../../model/errors.ts";
import { nearestName, someOf } from "../../model/text.ts";
import { isArchived, namesOf, placesIn, specsBelow, specsIn } from "./find-specs.ts";

/** Files of a spec, as absolute paths. */
export interface SpecFolder {
  readonly name: string;
  readonly folder: string;
  readonly tasksPath: string;
  readonly progressPath: string;
  readonly statePath: string;
  readonly dataFolder: string;
}

/** Folder names that may be given without a path. */
const specName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/**
 * Find a spec: by the path of a folder with a `tasks.md` or of the `tasks.md` itself, or by its name. A name is looked
 * up in the folders where dialects keep their specs, such as `<workspace>/specs`, and then among all specs below the
 * workspace. Without an argument, the spec named in `specs/.current-spec` is found, or the only spec of the workspace.
 * A name never leads out of the folder of specs.
 *
 * @param command The command to suggest, together with the spec, in errors.
 * @throws {InputError} `spec-ambiguous`, `spec-missing`, `spec-not-named`, `tasks-missing`, `tasks-unusable`,
 * `workspace-missing`
 * @throws {EnvironmentError} `file-refused`
 * @see docs/formats.md
 */
export function findSpec(spec: string | undefined, workspace: string, command = "run"): SpecFolder {
  checkWorkspace(workspace);
  const folder = locate(spec ?? activeSpec(workspace, command), workspace, command);
  const tasksPath = join(folder, "tasks.md");
  const dataFolder = join(folder, ".fixpoint");
  refused("look at", tasksPath, () => checkTasks({ folder, tasksPath, dataFolder }));
  return {
    name: basename(folder),
    folder,
    tasksPath,
    progressPath: join(folder, ".progress.md"),
    statePath: join(folder, ".ralph-state.json"),
    dataFolder,
  };
}

function activeSpec(workspace: string, command: string): string {
  const path = join(workspace, "specs", ".current-spec");
  const content = existsSync(path) ? refused("read", path, () => readRegular(realpathSync(path))) : null;
  const name = content === null ? "" : content.toString("utf8").trim();
  if (specName.test(name)) return name;
  const names = specNames(workspace);
  const found = names.length > 0 ? names : namesOf(everySpec(workspace), workspace);
  const [only, ...others] = found;
  if (name === "" && only !== undefined && others.length === 0) return only;
  throw new InputError(
    name === ""
      ? `No active spec. Expected its name in \`specs/.current-spec\`${listed(found)}`
      : `Cannot use the active spec \`${name}\`, expected a plain folder name in \`specs/.current-spec\``,
    { code: "spec-not-named", hint: nameIt(found, command) },
  );
}

/** List the specs in the folders of dialects by name. Specs with the same name are listed by path. */
export const specNames = (workspace: string): string[] =>
  [...namesOf(specsIn(workspace).filter(isNamed), workspace)].sort();

/** List all specs below a workspace, in any folder, except archived specs. */
const everySpec = (workspace: string): string[] =>
  specsBelow(workspace).filter((folder) => isNamed(folder) && !isArchived(folder));

const isNamed = (folder: string): boolean => specName.test(basename(folder));

const mostNamed = 8;

const listed = (names: readonly string[]): string =>
  names.length === 0 ? "" : `; specs found: ${someOf(names, mostNamed)}`;

const nameIt = ([first, ...others]: readonly string[], command: string): string =>
  first === undefined
    ? `Write a plan, such as specs/my-feature/tasks.md, or find one: ${programIn()} init`
    : `Name the spec${others.length === 0 ? "" : ", such as"}: ${programIn()} ${command} ${first}`;

function locate(spec: string, workspace: string, command: string): string {
  const isName = specName.test(spec);
  const given = resolve(workspace, spec);
  // Prefer a spec of this name to a folder of this name in the workspace, unless that folder contains a plan.
  if (isName && !existsSync(join(given, "tasks.md"))) {
    const named = onlyOne(placedAt(spec, workspace), { spec, workspace, command });
    if (named !== undefined) return confined(named, spec);
  }
  if (isFolder(given)) return realpathSync(given);
  if (basename(given) === "tasks.md" && existsSync(given)) return realpathSync(dirname(given));
  const elsewhere = isName ? everySpec(workspace).filter((folder) => basename(folder) === spec) : [];
  const found = onlyOne(elsewhere, { spec, workspace, command });
  if (found !== undefined) return found;
  const names = specNames(workspace);
  const nearest = nearestName(spec, names, (length) => Math.max(1, length * 0.4));
  const missing = isName ? join(workspace, "specs", spec) : given;
  throw new InputError(`Spec directory missing at ${missing}${listed(names)}`, {
    code: "spec-missing",
    hint: nearest === undefined ? nameIt(names, command) : `Did you mean ${nearest}?`,
  });
}

/**
 * Find the folders with this name among the folders of dialects: all that contain a plan; if no folder contains a plan,
 * the first.
 */
function placedAt(name: string, workspace: string): readonly string[] {
  const folders = placesIn(workspace)
    .map((place) => join(place, name))
    .filter(isFolder);
  const planned = folders.filter((folder) => existsSync(join(folder, "tasks.md")));
  return planned.length > 0 ? planned : folders.slice(0, 1);
}

function onlyOne(
  folders: readonly string[],
  { spec, workspace, command }: { readonly spec: string; readonly workspace: string; readonly command: string },
): string | undefined {
  const [first, ...others] = folders;
  if (first === undefined || others.length === 0) return first;
  const paths = folders.map((folder) => relative(realOf(workspace), realOf(folder)));
  throw new InputError(`Cannot choose among ${paths.length} specs named \`${spec}\`: ${someOf(paths, mostNamed)}`, {
    code: "spec-ambiguous",
    hint: `Give the path of one: ${programIn()} ${command} ${shellWord(paths[0] ?? "")}`,
  });
}

/** @throws {InputError} `spec-missing` if a link leads out of the folder of specs */
function confined(folder: string, spec: string): string {
  const place = realpathSync(dirname(folder));
  const real = realpathSync(folder);
  if (real !== place && isWithin(real, place)) return real;
  throw new InputError(`Cannot use the spec \`${spec}\`, expected a folder inside \`${dirname(folder)}\``, {
    code: "spec-missing",
    hint: "Give the folder of the spec instead of its name",
  });
}

type TasksPlace = Pick<SpecFolder, "folder" | "tasksPath" | "dataFolder">;

/**
 * Stat the file at the path of the plan.
 *
 * @throws {InputError} `tasks-missing`
 */
export function findTasks({ tasksPath: path, dataFolder }: Omit<TasksPlace, "folder">): Stats {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  if (entry !== undefined) return entry;
  const kept = lastPlan(dataFolder);
  throw new InputError(`Tasks file missing at ${path}`, {
    code: "tasks-missing",
    hint: kept === null ? "Write the plan there first" : putBack(kept, path),
  });
}

function checkTasks({ folder, tasksPath: path, dataFolder }: TasksPlace): void {
  const entry = findTasks({ tasksPath: path, dataFolder });
  const target = entry.isSymbolicLink() && existsSync(path) ? realpathSync(path) : path;
  const found = statSync(path, { throwIfNoEntry: false });
  const reason =
    found?.isFile() !== true
      ? "a regular file"
      : !isWithin(target, folder)
        ? "a file inside the spec folder, not a link out of it"
        : found.nlink > 1
          ? "a separate file, not a hard link to another"
          : undefined;
  if (reason === undefined) return;
  throw new InputError(`Cannot use ${path}, expected ${reason}`, {
    code: "tasks-unusable",
    hint: "Put the plan itself into the spec folder",
  });
}

function putBack(kept: string, path: string): string {
  const [from, to] = [kept, path].map((file) => shellWord(shortPath(process.cwd(), file)));
  return `Restore it as of the last start, and tick what was done since: cp ${from} ${to}`;
}

/**
 * Words that call fixpoint: `npx fixpoint` when npx has started this process, since npx puts no `fixpoint` on the PATH.
 */
export function programIn(env: NodeJS.ProcessEnv = process.env): string {
  const { npm_command: command, npm_lifecycle_script: script = "" } = env;
  return command === "exec" && /^["']?fixpoint\b/.test(script) ? "npx fixpoint" : "fixpoint";
}

/**
 * Build the address by which a person names a spec on the command line.
 *
 * @param from The person's current folder; by default the current folder of this process.
 * @param cwd Value of `--cwd`, if given.
 */
export function specAddress(
  { folder, name }: Pick<SpecFolder, "folder" | "name">,
  { from = process.cwd(), cwd }: { readonly from?: string | undefined; readonly cwd?: string | undefined } = {},
): SpecAddress {
  const workspace = resolve(from, cwd ?? ".");
  const isElsewhere = realOf(workspace) !== realOf(from);
  return {
    program: programIn(),
    spec: nameIn(workspace),
    cwd: isElsewhere ? shortPath(from, workspace) : null,
    path: nameIn(from),
  };

  /** The spec's name if it resolves to this spec from `place`, else its path. */
  function nameIn(place: string): string {
    const [only, ...others] = isNamed(folder) && !isFolder(join(place, name)) ? placedAt(name, place) : [];
    const isOnly = only !== undefined && others.length === 0 && realOf(only) === folder;
    return isOnly ? name : shortPath(realOf(place), folder);
  }
}

const realOf = (path: string): string => (existsSync(path) ? realpathSync(path) : path);
