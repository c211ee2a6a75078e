import { splitCommand } from "../../../model/command-line.ts";
import { InputError } from "../../../model/errors.ts";
import { Rung } from "../../../model/rung.ts";
import { nearestName } from "../../../model/text.ts";
import { toolNamed, toolNames } from "../../node/executors/known-tools.ts";
import type { ExecutorChoice, ExecutorOption } from "../../node/run-options.ts";
import type { ExecutorArgs, Settings } from "./settings.ts";

/**
 * Parse known tools such as `claude,codex`, each the fallback of the tool before it. @throws {InputError}
 * `preset-unknown`
 */
const parseChain = (text: string): string[] => text.split(",").map(toolNamed);

/**
 * Parse every `--executor`: `claude,codex` for all attempts, `fix: claude --model opus` for the attempts of one rung.
 *
 * @throws {InputError} `bad-option`, `preset-unknown`, `command-unreadable`
 */
export function parseExecutors(texts: readonly string[]): Pick<Settings, "executor" | "rungs"> {
  let executor: string[] | undefined;
  const rungs: Partial<Record<Rung, string>> = {};
  for (const text of texts) {
    const [, name, who = ""] = /^\s*([A-Za-z]+)\s*:(.*)$/s.exec(text) ?? [];
    if (name === undefined) executor = parseChain(text);
    else rungs[parseRung(name)] = checkRung(who.trim());
  }
  return { executor, ...(Object.keys(rungs).length > 0 && { rungs }) };
}

function parseRung(name: string): Rung {
  const known = Rung.options.find((rung) => rung === name.toLowerCase());
  if (known !== undefined) return known;
  const nearest = nearestName(name, Rung.options);
  throw new InputError(`Cannot use --executor \`${name}: …\`, expected one of ${Rung.options.join(", ")}`, {
    code: "bad-option",
    ...(nearest !== undefined && { hint: `Did you mean ${nearest}?` }),
  });
}

/** Check the executor of a rung. @throws {InputError} `bad-option`, `command-unreadable` */
export function checkRung(who: string): string {
  if (who === "") {
    throw new InputError("Cannot use --executor with nothing after the colon, expected a tool or a command line", {
      code: "bad-option",
      hint: 'For example: --executor "fix: claude --model opus"',
    });
  }
  parseRungExecutors(who, {});
  return who;
}

/**
 * Parse the text after `fix:`: either a single command line, or known tools, separated by commas, each with optional
 * arguments. Each tool is the fallback of the tool before it.
 *
 * @param commands Command lines that replace the command lines of known tools, by tool name.
 * @throws {InputError} `command-unreadable`
 */
export function parseRungExecutors(who: string, commands: Readonly<Record<string, string>>): ExecutorOption[] {
  const parts = who.split(",").map((part) => part.trim());
  const tools = parts.map(toolIn);
  if (tools.every((tool) => tool !== null)) return tools.map((tool) => withCommand(tool, commands));
  const [tool = null] = [toolIn(who)];
  if (tool !== null) return [withCommand(tool, commands)];
  splitCommand(who);
  return [who];
}

interface Tool {
  readonly preset: string;
  readonly args?: string;
}

function toolIn(text: string): Tool | null {
  const [, name = "", args = ""] = /^(\S*)\s*(.*)$/s.exec(text) ?? [];
  const preset = toolNames.find((known) => known === name.toLowerCase());
  if (preset === undefined) return null;
  return args === "" ? { preset } : { preset, args };
}

function withCommand(tool: Tool, commands: Readonly<Record<string, string>>): ExecutorOption {
  const command = commands[tool.preset];
  return command === undefined ? tool : { ...tool, command };
}

/**
 * Parse every `--executor-args`, in the form `<name>: <arguments>`. Arguments of one tool are joined.
 *
 * @throws {InputError} `bad-option`, `preset-unknown`, `command-unreadable`
 */
export const readExecutorArgs = (texts: readonly string[]): ExecutorArgs =>
  argsOfTools(
    texts.map((text) => {
      const [, name, args] = /^\s*([\w-]+)\s*:(.*)$/s.exec(text) ?? [];
      if (name !== undefined && args !== undefined) return [name, args] as const;
      throw new InputError(
        `Cannot use --executor-args \`${text}\`, expected the name of a tool, a colon and its flags`,
        {
          code: "bad-option",
          hint: 'For example: --executor-args "claude: --model opus"',
        },
      );
    }),
  );

/**
 * Join arguments by tool, and check that they can be split into words.
 *
 * @throws {InputError} `preset-unknown`, `command-unreadable`
 */
export function argsOfTools(written: readonly (readonly [name: string, args: string])[]): ExecutorArgs {
  const found: Record<string, string> = {};
  for (const [name, args] of written) {
    const tool = toolNamed(name);
    splitCommand(`${tool} ${args}`);
    found[tool] = joined(found[tool], args);
  }
  return found;
}

export const withArgs = (options: readonly ExecutorOption[], args: ExecutorArgs): ExecutorOption[] =>
  options.map((option) => {
    const more = typeof option === "object" ? args[option.preset] : undefined;
    return typeof option === "object" && more !== undefined ? { ...option, args: joined(more, option.args) } : option;
  });

const joined = (...parts: readonly (string | undefined)[]): string =>
  parts.flatMap((part) => (part === undefined || part.trim() === "" ? [] : [part.trim()])).join(" ");

/**
 * Check that every given argument is for a tool that the run calls.
 *
 * @throws {InputError} `bad-option`
 */
export function checkExecutorArgs(args: ExecutorArgs, choices: readonly (ExecutorChoice | undefined)[]): void {
  const names = choices.flat().flatMap((option) => (typeof option === "object" ? [option.preset] : []));
  const stranger = Object.keys(args).find((name) => !names.includes(name));
  if (stranger === undefined) return;
  const chain = names.length === 0 ? "there is none" : `these are ${[...new Set(names)].join(", ")}`;
  throw new InputError(`Cannot use --executor-args for ${stranger}, expected a tool of --executor: ${chain}`, {
    code: "bad-option",
  });
}
