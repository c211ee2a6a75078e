import type { Executor } from "../ports.ts";
import { type CommandExecutorOptions, commandExecutor } from "./command-executor.ts";
import { findPreset } from "./presets/find-preset.ts";

export interface PresetExecutorOptions extends Omit<CommandExecutorOptions, "command" | "preset"> {
  /** In place of the preset's own command line, such as one that gives permissions or names a model. */
  readonly command?: string;
  /** Words that are added to the command line, such as `--model opus`. */
  readonly args?: string;
}

/**
 * An executor that is a known tool.
 *
 * @param name Such as `claude`; `presets` has all.
 * @param options The idle limit is the preset's unless given.
 * @throws {InputError} `preset-unknown`, `command-unreadable`; what a command executor throws when executing.
 */
export function presetExecutor(name: string, options: PresetExecutorOptions): Executor {
  const preset = findPreset(name);
  const { idleTimeoutMs } = preset;
  const { args = "", command = preset.command, ...others } = options;
  return commandExecutor({
    ...(idleTimeoutMs !== undefined && { idleTimeoutMs }),
    ...others,
    command: withWords(command, args),
    preset,
  });
}

/** A `-` at the end, which stands for the prompt on stdin, stays there. */
function withWords(command: string, words: string): string {
  if (words.trim() === "") return command;
  return command.endsWith(" -") ? `${command.slice(0, -2)} ${words} -` : `${command} ${words}`;
}
