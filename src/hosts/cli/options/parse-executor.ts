import { InputError } from "../../../model/errors.ts";
import { nearestName } from "../../../model/nearest-name.ts";
import { Rung } from "../../../model/rung.ts";
import { splitCommand } from "../../../model/split-command.ts";
import { toolNamed, toolNames } from "../../node/executors/known-tools.ts";
import type { ExecutorOption } from "../../node/run-options.ts";
import type { Settings } from "./settings.ts";

/** Names of known tools, each standing in for the one before: `claude,codex`. @throws {InputError} `preset-unknown` */
const parseChain = (text: string): string[] => text.split(",").map(toolNamed);

/**
 * What `--executor` says, each time it is given: `claude,codex` for all attempts, `fix: claude --model opus` for those
 * that a rung of the ladder leads to.
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

/** @throws {InputError} `bad-option`, `command-unreadable` */
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
 * Who stands behind `fix:`: a known tool with words that are added to its command line; several such with commas, each
 * standing in for the one before; else a command line of its own.
 *
 * @param commands Command lines in place of those of known tools, by name.
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
