import { configPart } from "./config-part.ts";
import { firstTarget, idleTargets, includedBy, recipeOf } from "./makefile.ts";
import { filesOf, forEvery } from "./runners.ts";
import { simpleCommands } from "./simple-commands.ts";
import { fileRole, folderOf } from "./test-files.ts";

/** A file that decides whether and how the checks of a command run; may be missing. */
export interface Decider {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  /** The relevant part, as `configPart` reads it; null for the whole file. */
  readonly part: string | null;
  /** Whether the command cannot run without it: if it is missing, the task must make it. */
  readonly isNeeded: boolean;
}

/** What a command runs. */
export interface Behind {
  readonly deciders: readonly Decider[];
  /** Called programs, without folder. */
  readonly programs: ReadonlySet<string>;
  /** Files that would stop make from running a target, if they existed. */
  readonly idle: ReadonlySet<string>;
  /** All words of all calls. */
  readonly words: ReadonlySet<string>;
}

type Read = (path: string) => string | null;

/**
 * Resolve a command through manifest scripts, make targets, and script files. Deciders are files that decide whether
 * and how its checks run: scripts, configurations, rc files, and their relative imports, one level deep.
 *
 * @param read Text of a file before the work; null if there is none.
 */
export function whatIsBehind(command: string, read: Read): Behind {
  const deciders = new Map<string, Decider>();
  const programs = new Set<string>();
  const words = new Set<string>();
  const idle = new Set<string>();
  const seen = new Set<string>();
  const add = (path: string, part: string | null, isNeeded = false): void => {
    deciders.set(`${path}#${part}`, { path, part, isNeeded });
  };

  function expand(script: string, place: string): void {
    let folder = place;
    if (seen.has(`${place} ${script}`)) return;
    seen.add(`${place} ${script}`);
    const calls = simpleCommands(script);
    for (const call of calls) {
      const [program = "", ...rest] = call;
      if (program === "cd") folder = join(folder, rest[0] ?? "");
      else follow(program, rest, folder, calls.length === 1);
    }
  }

  function follow(path: string, rest: readonly string[], folder: string, isSole: boolean): void {
    const program = path.slice(path.lastIndexOf("/") + 1);
    if (path === program || filesOf(program).length > 0) programs.add(program);
    for (const word of rest) words.add(join(folder, word));
    for (const file of [...filesOf(program), ...forEvery]) addFile(file, folder);
    const script = scriptOf(program, rest);
    if (/^(?:npm|pnpm|yarn|bun)$/.test(program)) addScript(script, folder);
    else if (/^g?make$/.test(program)) addTarget(rest, folder);
    else if (/^(?:ba|da|z)?sh$/.test(program) && rest[0]?.endsWith("c")) expand(rest[1] ?? "", folder);
    else if (/^(?:(?:ba|da|z)?sh|\.|source|bats)$/.test(program))
      addShell(script, folder, isSole || /^(?:\.|source|bats)$/.test(program));
    else if (path.includes("/") && filesOf(program).length === 0) addShell(path, folder, isSole);
    else if (program === "tsc" || program === "vitest" || program === "jest") addNamed(rest, folder);
    else if (/^(?:node|tsx|ts-node|python[\d.]*|ruby|php|deno)$/.test(program)) addProgram(rest, folder);
  }

  function addFile(file: string, folder: string): void {
    const [name = "", part = null] = file.split("#");
    for (const path of new Set([join(folder, name), name])) {
      add(path, part);
      for (const used of importsOf(path, configPart(path, part, read(path)))) add(used, null);
    }
  }

  function addScript(name: string | null, folder: string): void {
    if (name === null) return;
    const path = join(folder, "package.json");
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
      // The first existing one is read.
      for (const path of candidates) add(path, `${target}:`, found === undefined || (path === found && recipe === ""));
      for (const path of included) add(path, `${target}:`);
      for (const name of idleTargets(text, target)) idle.add(join(folder, name));
      expand(recipe, folder);
    }
  }

  /** @param isCheck Whether the script checks something, rather than being checked. */
  function addShell(name: string | null, folder: string, isCheck: boolean): void {
    if (name === null) return;
    const path = join(folder, name);
    const text = read(path);
    if (isCheck || checks(path, text ?? "")) add(path, null, text === null);
    if (text !== null) expand(text, folder);
  }

  /** Add named configuration and setup files. */
  function addNamed(rest: readonly string[], folder: string): void {
    for (const flag of ["-p", "--project", "-c", "--config", "--setupFiles"]) {
      const value = optionIn(rest, flag);
      if (value !== "") addFile(value, folder);
    }
  }

  function addProgram(rest: readonly string[], folder: string): void {
    for (const flag of ["-r", "--require", "--import"]) {
      const value = optionIn(rest, flag);
      if (value !== "") add(join(folder, value), null);
    }
    if (rest[0] === "--run") addScript(rest[1] ?? null, folder);
    const script = rest.find((word) => /\.\w+$/.test(word) && !word.startsWith("-"));
    if (script === undefined || rest.includes("--test")) return;
    const path = join(folder, script);
    const text = read(path);
    if (text === null || fileRole(path) === "test" || !checks(path, text)) return;
    add(path, null);
    const own = folderOf(path);
    for (const used of importsOf(path, text)) if (own !== "" && folderOf(used) === own) add(used, null);
  }

  function importsOf(path: string, text: string): readonly string[] {
    const named = Array.from(
      text.matchAll(/["'](?:<rootDir>\/|\.\/|(?=\.\.\/))([\w./-]+)["']/g),
      ([, found = ""]) => found,
    );
    const isScript = !/config|rc\b|package\.json/.test(path);
    return named
      .flatMap((found) =>
        ["", ".ts", ".js", ".mjs", ".cjs", ".json"].map((end) => join(folderOf(path), `${found}${end}`)),
      )
      .filter((found) => read(found) !== null && fileRole(found) !== "test")
      .filter((found) => isScript || isSetup.test(found) || !/(?:^|\/)(?:src|lib|app)\//.test(found));
  }

  expand(command, "");
  return { deciders: [...deciders.values()], programs, words, idle };
}

/** Whether a program checks another one, rather than being checked. */
const checks = (path: string, text: string): boolean =>
  /(?:^|[/._-])(?:check|test|verify|spec|lint|ci|e2e|smoke|assert|validate|scripts|tools)/i.test(path) ||
  /\bassert|\bexpect\(|\bunittest\b|node:test|child_process|\bsubprocess\b|\bdiff\b|\bcmp\b|\bgrep -q/.test(text);
const isSetup = /setup|config|report|mock|environment|polyfill/i;

const runs = /^(?:run|run-script|test|t|tst)$/;

/** The script or file that a program runs. */
function scriptOf(program: string, words: readonly string[]): string | null {
  const own = words.filter((word) => !word.startsWith("-"));
  const [first = "", second] = own;
  if (first === "") return null;
  if (!/^(?:npm|pnpm|yarn|bun)$/.test(program)) return first;
  if (!runs.test(first)) return program === "npm" || program === "bun" ? null : first;
  if (first.startsWith("run")) return second ?? null;
  return program === "bun" ? null : "test";
}

/** Value of an option, as the next word or after `=`; empty if not given. */
function optionIn(words: readonly string[], flag: string): string {
  const at = words.indexOf(flag);
  if (at !== -1) return words[at + 1] ?? "";
  return words.find((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1) ?? "";
}

/** A path relative to a folder of the workspace. */
function join(folder: string, path: string): string {
  const parts: string[] = [];
  for (const part of `${folder}/${path}`.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}
