import { InputError } from "../../../model/errors.ts";
import { splitCommand } from "../../../model/split-command.ts";
import { toolNamed } from "../../node/executors/known-tools.ts";
import type { ExecutorChoice, ExecutorOption } from "../../node/run-options.ts";
import type { ExecutorArgs } from "./settings.ts";

/**
 * The arguments that `--executor-args` gives: each `<name>: <arguments>`, of one name together.
 *
 * @throws {InputError} `bad-option`, `preset-unknown`, `command-unreadable`
 */
export const readExecutorArgs = (texts: readonly string[]): ExecutorArgs =>
  argsOfTools(
    texts.map((text) => {
      const [, name, args] = /^\s*([\w-]+)\s*:(.*)$/s.exec(text) ?? [];
      if (name !== undefined && args !== undefined) return [name, args] as const;
      throw new InputError(`Cannot use --executor-args \`${text}\`, expected the name of a tool, a colon, its flags`, {
        code: "bad-option",
        hint: 'For example: --executor-args "claude: --model opus"',
      });
    }),
  );

/**
 * Arguments as they are written, by the tools they are for.
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

/** Executors with the arguments that are given to the tools among them, before their own. */
export const withArgs = (options: readonly ExecutorOption[], args: ExecutorArgs): ExecutorOption[] =>
  options.map((option) => {
    const more = typeof option === "object" ? args[option.preset] : undefined;
    return typeof option === "object" && more !== undefined ? { ...option, args: joined(more, option.args) } : option;
  });

const joined = (...parts: readonly (string | undefined)[]): string =>
  parts.flatMap((part) => (part === undefined || part.trim() === "" ? [] : [part.trim()])).join(" ");

/**
 * Check that all arguments are for a tool that is called.
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
