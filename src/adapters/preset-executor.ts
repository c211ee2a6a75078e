import type { Executor } from "../ports.ts";
import { type CommandExecutorOptions, commandExecutor } from "./command-executor.ts";
import { findPreset } from "./presets/find-preset.ts";

export interface PresetExecutorOptions extends Omit<CommandExecutorOptions, "command" | "preset"> {
  /** In place of the preset's own command line, such as one that gives permissions or names a model. */
  readonly command?: string;
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
  const { command, idleTimeoutMs } = preset;
  return commandExecutor({ command, ...(idleTimeoutMs !== undefined && { idleTimeoutMs }), ...options, preset });
}
