import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { splitCommand } from "../../../model/command-line.ts";
import { parseJson } from "../../../model/parse-json.ts";
import { countOf } from "../../../model/text.ts";
import { isEvent, type StreamEvent } from "../output/stream-event.ts";

/** Command line, folders and environment of a tool before its start. */
export interface ToolEnvironment {
  /** Absolute folder in which the tool would work. */
  readonly workspace: string;
  /** Absolute home folder of the user. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Words of the tool's command line, the program first. */
  readonly words: readonly string[];
}

/** A problem that would keep a tool from working. */
export interface Trouble {
  readonly about: "trust" | "login" | "permissions";
  /** The expected failure and its reason, in one sentence without a period. */
  readonly what: string;
  /** The remedy: an action of a person, or the effect of the options below. */
  readonly remedy: string;
  /** Options that solve the problem, as words of the command line; not given if none does. */
  readonly words?: readonly string[];
  /**
   * Whether the tool will certainly refuse, so that a run does not begin; if false, its files only suggest that it
   * will.
   */
  readonly certain: boolean;
}

/**
 * The surroundings of a tool if this process started it.
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

/** Signs that the user is logged in to a tool. */
export interface LoginSigns {
  /** Variables; one of them is enough. */
  readonly env: readonly [string, ...string[]];
  /** Files, absolute or relative to the user's folder; one of them is enough. */
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

/** Maximum size of a tool's file to read, in bytes. */
const longest = 4 * 1024 * 1024;

/** The text of a tool's file; null when it is missing or cannot be read. */
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

/** Whether a path exists. */
export function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/** Signs that a tool which normally asks before it writes may write without asking. */
export interface RightsSigns {
  /** Options on the tool's command line that give the right. */
  readonly options: RegExp;
  /** Settings files that may give the right: absolute, below the user's folder after `~/`, else below the workspace. */
  readonly settings: readonly string[];
  /** Keys in the settings that give the right. */
  readonly keys: readonly string[];
}

/** Check whether a tool may write in an unattended run. */
export function checkRights(
  tool: string,
  { options, settings, keys }: RightsSigns,
  words: readonly string[],
  { workspace, home, words: line }: ToolEnvironment,
): readonly Trouble[] {
  if (line.some((word) => options.test(word))) return [];
  const place = (path: string): string =>
    path.startsWith("~/") ? join(home, path.slice(2)) : isAbsolute(path) ? path : join(workspace, path);
  // Unreadable settings may give the right, too.
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
