import { join } from "../model/paths.ts";
import {
  inputsIn,
  interpreters,
  isRunner,
  managers,
  optionIn,
  pathsIn,
  reads,
  referencesOf,
  scriptsOf,
  shellScript,
  shells,
  simpleCommands,
} from "./command-words.ts";
import { configPart } from "./config-part.ts";
import { importsIn } from "./is-related.ts";
import { firstTarget, idleTargets, includedBy, recipeOf, variablesOf } from "./makefile.ts";
import { filesOf, forEvery } from "./runners.ts";
import { baseOf, fileRole, folderOf, isHelper } from "./test-files.ts";

/** A file that decides whether and how the checks of a command run; it need not exist. */
export interface Decider {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  /** The relevant part, as `configPart` reads it; null for the whole file. */
  readonly part: string | null;
  /** Whether the command cannot run without the file: if it is missing, the task must make it. */
  readonly isNeeded: boolean;
}

export interface Deciders {
  readonly deciders: readonly Decider[];
  /** Called programs, without folder. */
  readonly programs: ReadonlySet<string>;
  /** Files that would stop make from running a target, if they existed. */
  readonly idle: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
  /** Patterns of scripts that the command runs. */
  readonly patterns: ReadonlySet<string>;
  /** Whether the command may print nothing if all checks pass. */
  readonly isQuiet: boolean;
}

type Read = (path: string) => string | null;

/**
 * Resolve a command through manifest scripts, make targets, and script files. Deciders are files that decide whether
 * and how its checks run: scripts, configurations, rc files, and their relative imports, one level deep.
 *
 * @param read Text of a file before the work; null if there is none.
 */
export function findDeciders(command: string, read: Read): Deciders {
  const deciders = new Map<string, Decider>();
  const programs = new Set<string>();
  const words = new Set<string>();
  const idle = new Set<string>();
  const patterns = new Set<string>();
  /** Files that a script looks for before it uses them. */
  const optional = new Set<string>();
  let isQuiet = false;
  const seen = new Set<string>();
  const add = (path: string, part: string | null, isNeeded = false): void => {
    deciders.set(`${path}#${part}`, { path, part, isNeeded });
  };

  function expand(script: string, place: string): void {
    let folder = place;
    if (seen.has(`${place} ${script}`)) return;
    seen.add(`${place} ${script}`);
    isQuiet ||= quiet.test(script);
    const calls = simpleCommands(script);
    for (const path of inputsIn(script, (word) => read(join(folder, word)) !== null)) add(join(folder, path), null);
    for (const [, path] of script.matchAll(/(?:\[{1,2}|\btest) -[a-z] ([\w./-]{1,200})/g)) {
      optional.add(join(folder, String(path)));
    }
    for (const call of calls) {
      const [program = "", ...rest] = call;
      if (program === "cd") folder = join(folder, rest[0] ?? "");
      else if (!follow(program, rest, folder, calls.length === 1)) addUnnamed(script, folder);
    }
  }

  /** @returns False for an interpreter whose script is not known. */
  function follow(called: string, rest: readonly string[], folder: string, isSole: boolean): boolean {
    const path = called.replace(/^\$(?:PWD|\{PWD\}|\(pwd\))\//, "./");
    if (/^\$[\w{]/.test(path)) return false;
    const program = baseOf(path);
    if (path === program || filesOf(program).length > 0) programs.add(program);
    const isThere = (word: string): boolean => read(join(folder, word)) !== null;
    for (const path of referencesOf(program, rest, isThere).map((name) => join(folder, name))) {
      if (fileRole(path) === "code") add(path, null);
    }
    for (const word of rest) for (const part of [word, ...pathsIn(word)]) words.add(join(folder, part));
    for (const file of [...filesOf(program, rest[0]), ...forEvery]) addFile(file, folder);
    if (managers.test(program)) {
      const { scripts, place } = scriptsOf(program, rest);
      const file = program === "composer" ? "composer.json" : "package.json";
      for (const script of scripts) addScript(script, join(folder, place), file);
    } else if (/^g?make$/.test(program)) addTarget(rest, folder);
    else if (shells.test(program)) {
      const { command, file } = shellScript(rest);
      if (command === null) return addShell(file, folder, isSole);
      expand(command, folder);
    } else if (/^(?:\.|source|bats)$/.test(program)) return addShell(shellScript(rest).file, folder, true);
    else if (path.includes("/") && filesOf(program).length === 0) return addShell(path, folder, isSole);
    else if (interpreters.test(program)) return addProgram(rest, folder);
    else if (/^(?:[gm]?awk|sed|jq)$/.test(program)) return addProgram([optionIn(rest, "-f")], folder);
    else if (filesOf(program).length === 0) return addUnknown(program, rest, folder, isSole);
    else addNamed(rest, folder);
    return true;
  }

  /** Follow an unknown program: a Python module of the workspace, or a program that starts another program. */
  function addUnknown(program: string, rest: readonly string[], folder: string, isSole: boolean): boolean {
    const module = program.replaceAll(".", "/");
    for (const path of [`${module}.py`, `${module}/__main__.py`]) {
      if (read(join(folder, path)) !== null) addProgram([path], folder);
    }
    const at = reads.test(program) ? -1 : rest.findIndex(isRunner);
    return at === -1 || follow(rest[at] as string, rest.slice(at + 1), folder, isSole);
  }

  /** Add the scripts that a text names, for an interpreter that gets them from a loop, a pipe or a variable. */
  function addUnnamed(text: string, folder: string): void {
    for (const word of pathsIn(text)) {
      if (word.includes("*")) patterns.add(join(folder, word));
      else if (/\.(?:ba|z)?sh$/.test(word)) addShell(word, folder, false);
      else addProgram([word], folder);
    }
  }

  function addFile(file: string, folder: string): void {
    const [name = "", part = null] = file.split("#");
    for (const path of new Set([join(folder, name), name])) {
      add(path, part);
      for (const used of importsOf(path, configPart(path, part, read(path)))) add(used, null);
    }
  }

  function addScript(name: string, folder: string, file = "package.json"): void {
    const path = join(folder, file);
    const text = configPart(path, `scripts.${name}`, read(path));
    const isNew = text === "";
    add(path, `scripts.${name}`, isNew);
    for (const hook of [`pre${name}`, `post${name}`]) {
      add(path, `scripts.${hook}`, isNew);
      expand(configPart(path, `scripts.${hook}`, read(path)), folder);
    }
    expand(text, folder);
  }

  function addTarget(rest: readonly string[], place: string): void {
    const folder = join(place, optionIn(rest, "-C"));
    const given = optionIn(rest, "-f");
    const candidates = (given === "" ? ["GNUmakefile", "makefile", "Makefile"] : [given]).map((name) =>
      join(folder, name),
    );
    const found = candidates.find((path) => read(path) !== null);
    const own = found === undefined ? "" : (read(found) as string);
    const included = includedBy(own).map((name) => join(folder, name));
    const text = [own, ...included.map((path) => read(path) ?? "")].join("\n");
    const targets = rest.filter(
      (word, at) => /^[\w./-]+$/.test(word) && !word.startsWith("-") && !/^-[Cf]$/.test(rest[at - 1] ?? ""),
    );
    for (const target of targets.length > 0 ? targets : [firstTarget(text)]) {
      const recipe = recipeOf(text, target);
      // Add every candidate, since make reads the first that exists.
      for (const path of candidates) add(path, `${target}:`, found === undefined || (path === found && recipe === ""));
      for (const path of included) {
        add(path, `${target}:`);
        if (exportsAll.test(text)) add(path, null);
        for (const name of variablesOf(text, target)) add(path, `${name}=`);
      }
      for (const name of idleTargets(text, target)) idle.add(join(folder, name));
      expand(recipe, folder);
    }
  }

  /** @param isCheck True if the script checks something; false if the script may be under test. */
  function addShell(name: string | null, folder: string, isCheck: boolean): boolean {
    if (name === null || name.includes("$")) return false;
    const path = join(folder, name);
    const text = read(path);
    if (isCheck || checks(path, text ?? "")) add(path, null, text === null && !optional.has(path));
    if (text !== null) expand(text, folder);
    return true;
  }

  function addNamed(rest: readonly string[], folder: string): void {
    for (const flag of ["-p", "--project", "-c", "--config", "--config-path", "--ignore-path", "--setupFiles"]) {
      const value = optionIn(rest, flag);
      if (/\.\w+$/.test(value)) addFile(value, folder);
    }
  }

  function addProgram(rest: readonly string[], folder: string): boolean {
    for (const flag of ["-r", "--require", "--import"]) {
      const value = optionIn(rest, flag);
      if (value !== "") add(join(folder, value), null);
    }
    if (rest[0] === "--run" && rest[1] !== undefined) addScript(rest[1], folder);
    const script = rest.find((word) => /\.\w+$/.test(word) && !word.startsWith("-"));
    if (script === undefined) return rest.some((word) => /^--?\w/.test(word));
    if (rest.includes("--test")) return true;
    const path = join(folder, script);
    const text = read(path);
    if (text === null || fileRole(path) === "test" || !checks(path, text)) return !script.includes("$");
    add(path, null);
    if (text.includes("package.json")) for (const key of ownKeys(read("package.json"), text)) add("package.json", key);
    const own = folderOf(path);
    const imported = path.endsWith(".py") ? importsIn(path, text).map((name) => `${name}.py`) : importsOf(path, text);
    for (const used of imported) {
      const isBeside = own !== "" && used.startsWith(`${own}/`);
      if ((isBeside || isHelper(used)) && read(used) !== null) add(used, null);
    }
    return true;
  }

  function importsOf(path: string, text: string): readonly string[] {
    const isScript = !/config|rc\b|package\.json/.test(path);
    const named = Array.from(text.matchAll(/["'](<rootDir>\/|\.\/)?([\w./-]+)["']/g)).flatMap(
      ([, start, found = ""]) => {
        // The configuration of a runner may name files of its set-up without `./`.
        const isOwn = ofRunner.test(baseOf(path)) && (fileRole(found) === "fixture" || /setup/i.test(found));
        return start !== undefined || found.startsWith("../") || isOwn ? found : [];
      },
    );
    return named
      .flatMap((found) =>
        ["", ".ts", ".js", ".mjs", ".cjs", ".json"].map((end) => join(folderOf(path), `${found}${end}`)),
      )
      .filter((found) => read(found) !== null && fileRole(found) !== "test")
      .filter((found) => isScript || isSetup.test(found) || !/(?:^|\/)(?:src|lib|app)\//.test(found));
  }

  expand(command, "");
  return { deciders: [...deciders.values()], programs, words, idle, patterns, isQuiet };
}

/** Matches a line of a makefile by which each setting reaches the programs of each recipe. */
const exportsAll = /^(?:export|\.EXPORT_ALL_VARIABLES:.*)\s*$/m;

/** Matches redirection of output to a file or a variable, and options for silence. */
const quiet = /\$\(|>(?!&)|\s-qq/;

/** Whether a program checks other programs, judged by its path and text. */
export const checks = (path: string, text: string): boolean =>
  /(?:^|[/._-])(?:check|test|verify|spec|lint|ci|e2e|smoke|assert|validate|scripts|tools)/i.test(path) ||
  /\bassert|\bexpect\(|\bunittest\b|node:test|child_process|\bsubprocess\b|\bdiff\b|\bcmp\b|\bgrep -q/.test(text);

const standard =
  /^(?:name|version|description|keywords|author|license|type|main|module|types|bin|files|exports|imports|engines|scripts|repository|\w*[dD]ependencies)$/;
/** Keys of a manifest that are not those of npm, and that a program reads. */
function ownKeys(manifest: string | null, program: string): readonly string[] {
  const keys = Array.from((manifest ?? "").matchAll(/^ {0,4}"(\w+)":/gm), ([, key = ""]) => key);
  const read = new Set(Array.from(program.matchAll(/[.["'](\w+)/g), ([, word]) => word));
  return keys.filter((key) => !standard.test(key) && read.has(key));
}
const ofRunner = /vite|jest|mocha|ava|playwright|^package\.json$/;
const isSetup = /setup|config|report|mock|environment|polyfill/i;
