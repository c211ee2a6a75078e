import { existsSync, lstatSync, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { checkWorkspace, isFolder, isWithin, shortPath } from "../../adapters/files/folder.ts";
import { readRegular } from "../../adapters/files/own-file.ts";
import { refused } from "../../adapters/files/refused.ts";
import { lastPlan } from "../../adapters/journal/read-journal.ts";
import { type SpecAddress, shellWord } from "../../model/command-line.ts";
import { InputError } from "../../model/errors.ts";
import { nearestName } from "../../model/text.ts";

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
 * Find a spec: by the path of a folder with a `tasks.md`, or by its name below `<workspace>/specs`. Without an
 * argument: the spec named in `specs/.current-spec`, or the only spec of the workspace. A name never leads out of the
 * specs folder.
 *
 * @param command The command to suggest, together with the spec, in errors.
 * @throws {InputError} `spec-missing`, `spec-not-named`, `tasks-missing`, `tasks-unusable`, `workspace-missing`
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
  const [only, ...others] = names;
  if (name === "" && only !== undefined && others.length === 0) return only;
  throw new InputError(
    name === ""
      ? `No active spec. Expected its name in \`specs/.current-spec\`${listed(names)}`
      : `Cannot use the active spec \`${name}\`, expected a plain folder name in \`specs/.current-spec\``,
    { code: "spec-not-named", hint: nameIt(names, command) },
  );
}

export function specNames(workspace: string): string[] {
  const specs = join(workspace, "specs");
  if (!isFolder(specs)) return [];
  return refused("read", specs, () => readdirSync(specs))
    .filter((name) => specName.test(name) && existsSync(join(specs, name, "tasks.md")))
    .sort();
}

const listed = (names: readonly string[]): string => (names.length === 0 ? "" : `; specs found: ${names.join(", ")}`);

const nameIt = ([first, ...others]: readonly string[], command: string): string =>
  first === undefined
    ? `Write a plan, such as specs/my-feature/tasks.md, or find one: ${programIn()} init`
    : `Name the spec${others.length === 0 ? "" : ", such as"}: ${programIn()} ${command} ${first}`;

function locate(spec: string, workspace: string, command: string): string {
  const specs = join(workspace, "specs");
  const named = specName.test(spec) ? join(specs, spec) : undefined;
  const given = resolve(workspace, spec);
  // Prefer the spec of that name below `specs`, unless the workspace has a folder of that name with a plan of its own.
  if (named !== undefined && isFolder(named) && !existsSync(join(given, "tasks.md"))) {
    const real = realpathSync(named);
    if (real !== realpathSync(specs) && isWithin(real, realpathSync(specs))) return real;
    throw new InputError(`Cannot use the spec \`${spec}\`, expected a folder inside \`${specs}\``, {
      code: "spec-missing",
      hint: "Give the folder of the spec instead of its name",
    });
  }
  if (isFolder(given)) return realpathSync(given);
  const names = specNames(workspace);
  const nearest = nearestName(spec, names, (length) => Math.max(1, length * 0.4));
  throw new InputError(`Spec directory missing at ${named ?? given}${listed(names)}`, {
    code: "spec-missing",
    hint: nearest === undefined ? nameIt(names, command) : `Did you mean ${nearest}?`,
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
 * @param from The person's current folder; by default that of this process.
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
    const isNamed =
      specName.test(name) && realOf(join(place, "specs", name)) === folder && !isFolder(join(place, name));
    return isNamed ? name : shortPath(realOf(place), folder);
  }
}

const realOf = (path: string): string => (existsSync(path) ? realpathSync(path) : path);
