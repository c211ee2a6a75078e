import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { splitCommand } from "../../../model/command-line.ts";
import { parseJson } from "../../../model/parse-json.ts";
import { countOf } from "../../../model/text.ts";
import { isEvent, type StreamEvent } from "../output/stream-event.ts";

export interface ToolEnvironment {
  /** Absolute folder in which the tool would work. */
  readonly workspace: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Words of the tool's command line, beginning with the program. */
  readonly words: readonly string[];
}

export interface Trouble {
  readonly about: "trust" | "login" | "permissions";
  /** The expected failure and its reason, in one sentence without a period. */
  readonly what: string;
  /** Action for a person, or the effect of the options in `words`. */
  readonly remedy: string;
  /** Command-line options that solve the problem; absent if no option does. */
  readonly words?: readonly string[];
  /** True if the tool will certainly refuse to work, so that no run begins; false if a refusal is only likely. */
  readonly certain: boolean;
}

/**
 * The environment of a tool that this process would start.
 *
 * @param command The tool's command line.
 * @throws {InputError} `command-unreadable`
 */
export const toolEnvironmentOf = (command: string, workspace: string): ToolEnvironment => ({
  workspace,
  home: process.env["HOME"] || homedir(),
  env: process.env,
  words: splitCommand(command),
});

export interface LoginSigns {
  /** Names of environment variables; one set variable is enough. */
  readonly env: readonly [string, ...string[]];
  /** Paths, absolute or relative to the home folder; one existing file is enough. */
  readonly files: readonly [string, ...string[]];
  /** The remedy, as a sentence that begins with a small letter and has no period. */
  readonly remedy: string;
}

/**
 * Check for signs that the tool's user is logged in. The system's key store is not read, so the result is never
 * certain.
 */
export function checkLogin(
  tool: string,
  { env, files, remedy }: LoginSigns,
  { home, env: variables }: ToolEnvironment,
): readonly Trouble[] {
  if (env.some((name) => (variables[name] ?? "") !== "")) return [];
  if (files.some((file) => isThere(isAbsolute(file) ? file : join(home, file)))) return [];
  const others = env.length + files.length - 2;
  const more = others > 0 ? `, nor any of ${countOf(others, "other sign")}` : "";
  const what = `${tool} does not look logged in: neither ${env[0]} nor ${inHome(files[0])} is there${more}`;
  return [{ about: "login", what, remedy, certain: false }];
}

const inHome = (file: string): string => (isAbsolute(file) ? file : `~/${file}`);

const longest = 4 * 1024 * 1024;

/** Null if the file is missing or unreadable. */
export function readToolFile(path: string): string | null {
  try {
    // Read only regular files: a pipe or a device would block.
    const found = statSync(path);
    return found.isFile() && found.size <= longest ? readFileSync(path, "utf8") : null;
  } catch {
    return null;
  }
}

/** The JSON object in a tool's file: null if the file is missing, undefined for other content. */
export function readToolJson(path: string): StreamEvent | null | undefined {
  const text = readToolFile(path);
  if (text === null) return null;
  const value = parseJson(text);
  return isEvent(value) ? value : undefined;
}

export function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** Signs that a tool may write files without asking. */
export interface RightsSigns {
  /** Command-line options that allow writing. */
  readonly options: RegExp;
  /** Settings files that may allow writing: absolute, `~/…` for the home folder, else relative to the workspace. */
  readonly settings: readonly string[];
  /** Settings keys that allow writing. */
  readonly keys: readonly string[];
}

export function checkRights(
  tool: string,
  { options, settings, keys }: RightsSigns,
  words: readonly string[],
  { workspace, home, words: line }: ToolEnvironment,
): readonly Trouble[] {
  if (line.some((word) => options.test(word))) return [];
  const place = (path: string): string =>
    path.startsWith("~/") ? join(home, path.slice(2)) : isAbsolute(path) ? path : join(workspace, path);
  // Unreadable settings may also allow writing.
  const mayGive = settings.map(place).some((path) => {
    const set = readToolJson(path);
    return set === undefined || (set !== null && keys.some((key) => Object.hasOwn(set, key)));
  });
  if (mayGive) return [];
  return [
    {
      about: "permissions",
      what: `${tool} may only read: nothing gives it the right to write files or run commands`,
      remedy: "Allow the tool to write files",
      words,
      certain: false,
    },
  ];
}
