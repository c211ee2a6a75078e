import { basename } from "node:path";
import { withWords } from "../../../adapters/preset-executor.ts";
import { findPreset } from "../../../adapters/presets/find-preset.ts";
import { rightsOf } from "../../../adapters/presets/setup/tool-rights.ts";
import { surroundingsOf, type Trouble } from "../../../adapters/presets/setup/tool-surroundings.ts";
import { shellWord } from "../../../model/command-line.ts";
import { InputError } from "../../../model/errors.ts";
import type { PermissionLevel } from "../../../model/permissions.ts";
import { type Role, supportingRoles } from "../../../model/role.ts";
import type { Rung } from "../../../model/rung.ts";
import { splitCommand } from "../../../model/split-command.ts";
import type { WayOn } from "../../../model/way-on.ts";
import type { ExecutorOption } from "../run-options.ts";

/** How an executor is called, as a person would write it in a shell. */
export interface ExecutorCall {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * How a program is called at a permission level; null for a function.
 *
 * @param commands The commands that `edit` allows.
 * @throws {InputError} `preset-unknown`, `command-unreadable`, `permissions-not-held`
 */
export function callOf(
  option: ExecutorOption,
  permissions: PermissionLevel,
  commands: readonly string[],
): ExecutorCall | null {
  if (typeof option === "function") return null;
  if (typeof option === "string") return { words: splitCommand(option), env: {} };
  const preset = findPreset(option.preset);
  const { args, env = {} } = rightsOf(preset, permissions, commands);
  return { words: [...splitCommand(withWords(option.command ?? preset.command, option.args ?? "")), ...args], env };
}

/** A call as one line, quoted for a shell. */
export const lineOf = ({ words, env }: ExecutorCall): string =>
  [...Object.entries(env).map(([name, value]) => `${name}=${shellWord(value)}`), ...words.map(shellWord)].join(" ");

/**
 * What would keep a tool from working, as far as its files and the environment show. Nothing is started.
 *
 * @param workspace Absolute.
 */
export function troublesOf(option: ExecutorOption, call: ExecutorCall, workspace: string): readonly Trouble[] {
  if (typeof option === "function" || typeof option === "string") return [];
  const { command, checkFirst } = findPreset(option.preset);
  const [program] = splitCommand(command);
  // A wrapper may give the tool what it needs.
  if (checkFirst === undefined || basename(call.words[0] ?? "") !== program) return [];
  const { env, ...rest } = surroundingsOf(command, workspace);
  return checkFirst({ ...rest, words: call.words, env: { ...env, ...call.env } });
}

/** Ways to mend troubles: first what a person has to do, then one start with all the options that mend the rest. */
export function mendingOf(troubles: readonly Trouble[]): readonly WayOn[] {
  const byHand = troubles.filter(({ words }) => words === undefined).map(({ remedy }) => ({ say: remedy }));
  const byOption = troubles.flatMap(({ remedy, words }) => (words === undefined ? [] : [{ say: remedy, words }]));
  if (byOption.length === 0) return byHand;
  const say = byOption.map(({ say }) => say).join("; ");
  return [...byHand, { say, words: byOption.flatMap(({ words }) => words) }];
}

/** The error for a tool that would certainly refuse to work; null when none is certain. */
export function refusalOf(troubles: readonly Trouble[]): InputError | null {
  const sure = troubles.filter(({ certain }) => certain);
  if (sure.length === 0) return null;
  const what = sure.map((trouble) => trouble.what).join("; ");
  return new InputError(`Cannot begin: ${what}`, { code: "executor-refuses", ways: mendingOf(sure) });
}

/**
 * Check that no permission level is asked of an executor that is no known tool.
 *
 * @throws {InputError} `permissions-not-held`
 */
export function checkHeld(name: Role | Rung, option: ExecutorOption, permissions: PermissionLevel): void {
  if (typeof option === "object" || permissions === "tool" || isSupporting(name)) return;
  const who = typeof option === "string" ? `\`${option}\`` : "a function";
  throw new InputError(`Cannot hold ${who} to --permissions ${permissions}: it is no tool that fixpoint knows`, {
    code: "permissions-not-held",
    ways: [
      { say: "What a command may do stands in the command itself. Run it as it is", words: ["--permissions", "tool"] },
    ],
  });
}

/** Supporting roles are given as command lines. What they may do stands in the command line. */
const isSupporting = (name: Role | Rung): boolean => (supportingRoles as readonly string[]).includes(name);
