import { basename } from "node:path";
import { withWords } from "../../../adapters/command-executor.ts";
import { rightsOf } from "../../../adapters/presets/preset.ts";
import { findPreset, troubleOf } from "../../../adapters/presets/presets.ts";
import { type Trouble, toolEnvironmentOf } from "../../../adapters/presets/setup/tool-environment.ts";
import { shellWord, splitCommand } from "../../../model/command-line.ts";
import { InputError, type WayOn } from "../../../model/errors.ts";
import type { PermissionLevel } from "../../../model/reply.ts";
import { Role, supportingRoles } from "../../../model/role.ts";
import { Rung } from "../../../model/rung.ts";
import { nearestName } from "../../../model/text.ts";
import type { ExecutorOption, RunOptions } from "../run-options.ts";

interface ExecutorCall {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Build the call of a program with the given permissions; null for a function.
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

export const lineOf = ({ words, env }: ExecutorCall): string =>
  [...Object.entries(env).map(([name, value]) => `${name}=${shellWord(value)}`), ...words.map(shellWord)].join(" ");

/**
 * Search the files and the environment of a tool for reasons why the tool would not work. Starts nothing.
 *
 * @param workspace Absolute.
 */
export function troublesOf(option: ExecutorOption, call: ExecutorCall, workspace: string): readonly Trouble[] {
  if (typeof option === "function" || typeof option === "string") return [];
  const preset = findPreset(option.preset);
  const [program] = splitCommand(preset.command);
  // A wrapper may solve the problem itself.
  if (basename(call.words[0] ?? "") !== program) return [];
  const { env, ...rest } = toolEnvironmentOf(preset.command, workspace);
  return troubleOf(preset, { ...rest, words: call.words, env: { ...env, ...call.env } });
}

/**
 * List ways to solve troubles: first what a person has to do, then one command line with the options for all other
 * troubles.
 */
export function mendingOf(troubles: readonly Trouble[]): readonly WayOn[] {
  const byHand = troubles.filter(({ words }) => words === undefined).map(({ remedy }) => ({ say: remedy }));
  const byOption = troubles.flatMap(({ remedy, words }) => (words === undefined ? [] : [{ say: remedy, words }]));
  if (byOption.length === 0) return byHand;
  const say = byOption.map(({ say }) => say).join("; ");
  return [...byHand, { say, words: byOption.flatMap(({ words }) => words) }];
}

export function refusalOf(troubles: readonly Trouble[]): InputError | null {
  const sure = troubles.filter(({ certain }) => certain);
  if (sure.length === 0) return null;
  const what = sure.map((trouble) => trouble.what).join("; ");
  return new InputError(`Cannot begin: ${what}`, { code: "executor-refuses", ways: mendingOf(sure) });
}

/**
 * Check that permissions are requested only from known tools.
 *
 * @throws {InputError} `permissions-not-held`
 */
export function checkHeld(name: Role | Rung, option: ExecutorOption, permissions: PermissionLevel): void {
  if (typeof option === "object" || permissions === "tool" || isSupporting(name)) return;
  const who = typeof option === "string" ? `\`${option}\`` : "a function";
  throw new InputError(`Cannot restrict ${who} to --permissions ${permissions}: it is not a tool known to fixpoint`, {
    code: "permissions-not-held",
    ways: [{ say: "The command itself decides what it may do. Run it unchanged", words: ["--permissions", "tool"] }],
  });
}

/** Supporting roles are exempt: their command lines contain their permissions. */
const isSupporting = (name: Role | Rung): boolean => (supportingRoles as readonly string[]).includes(name);

const names: readonly string[] = [...Role.options, "rungs"];

/**
 * Check the form of the executors that the caller passes, since no compiler may have checked the caller's types.
 *
 * @throws {InputError} `no-executor`, `executor-invalid`
 */
export function checkChoices(choices: RunOptions["executors"] | undefined): void {
  const given = choices ?? {};
  if (!isRecord(given)) throw invalid("executors", given, "an object such as `{ executor: … }`");
  refuseStrangers("executors", given, names);
  const { executor, rungs = {}, ...others } = given;
  if (executor === undefined || executor === null) {
    throw new InputError("Cannot run without an executor, expected `executors.executor`", {
      code: "no-executor",
      hint: 'Give a function, a command line or a known tool: executors: { executor: { preset: "claude" } }',
    });
  }
  if (!isRecord(rungs)) throw invalid("executors.rungs", rungs, "an object such as `{ fix: … }`");
  refuseStrangers("executors.rungs", rungs, Rung.options);
  const chains = [
    ...Object.entries({ executor, ...others }).map(([role, choice]) => [`executors.${role}`, choice] as const),
    ...Object.entries(rungs).map(([rung, choice]) => [`executors.rungs.${rung}`, choice] as const),
  ];
  for (const [where, choice] of chains) if (choice !== undefined) checkChoice(where, choice);
}

function checkChoice(where: string, choice: unknown): void {
  if (!Array.isArray(choice)) {
    checkOption(where, choice);
    return;
  }
  if (choice.length === 0) {
    throw new InputError(`Cannot run with an empty \`${where}\`, expected at least one executor`, {
      code: "no-executor",
    });
  }
  for (const [index, option] of choice.entries()) checkOption(`${where}[${index}]`, option);
}

function checkOption(where: string, option: unknown): void {
  if (typeof option === "function" || typeof option === "string") return;
  const expected = 'a function, a command line, or a known tool such as `{ preset: "claude" }`';
  if (!isRecord(option) || typeof option["preset"] !== "string") throw invalid(where, option, expected);
  for (const name of ["command", "args"]) {
    const value = option[name];
    if (value !== undefined && typeof value !== "string") throw invalid(`${where}.${name}`, value, "a text");
  }
}

function refuseStrangers(where: string, given: Readonly<Record<string, unknown>>, known: readonly string[]): void {
  const stranger = Object.keys(given).find((name) => !known.includes(name));
  if (stranger === undefined) return;
  const nearest = nearestName(stranger, known);
  throw new InputError(`Cannot use \`${where}.${stranger}\`, expected one of ${known.join(", ")}`, {
    code: "executor-invalid",
    ...(nearest !== undefined && { hint: `Did you mean ${nearest}?` }),
  });
}

const invalid = (where: string, value: unknown, expected: string): InputError =>
  new InputError(`Cannot use \`${where}\`, which is ${tell(value)}, expected ${expected}`, {
    code: "executor-invalid",
  });

function tell(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object without a `preset`" : `a ${typeof value}`;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
