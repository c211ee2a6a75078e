import type { DeniedAct, PermissionLevel } from "../model/permissions.ts";
import { type CommandExecutorOptions, commandExecutor, type ProgramExecutor } from "./command-executor.ts";
import { findPreset } from "./presets/find-preset.ts";
import type { Preset } from "./presets/preset.ts";
import { rightsOf } from "./presets/setup/tool-rights.ts";

export interface PresetExecutorOptions extends Omit<CommandExecutorOptions, "command" | "preset" | "rights"> {
  /** A command line in place of the preset's own, such as one that names a model. */
  readonly command?: string;
  /** Words that are added to the command line, such as `--model opus`. */
  readonly args?: string;
  /** What the tool may do (`tool` by default: what its own settings say). */
  readonly permissions?: PermissionLevel;
  /** The commands that `edit` allows, read anew for each task (none by default). */
  readonly commands?: () => readonly string[];
}

/**
 * An executor that is a known tool.
 *
 * @param name Such as `claude`; `presets` has all.
 * @param options The idle limit is the preset's unless given.
 * @throws {InputError} `preset-unknown`, `command-unreadable`, `permissions-not-held`; what a command executor throws
 *   when executing.
 */
export function presetExecutor(name: string, options: PresetExecutorOptions): ProgramExecutor {
  const preset = findPreset(name);
  const { idleTimeoutMs } = preset;
  const { command = preset.command, args = "", permissions = "tool", commands = () => [], ...limits } = options;
  const rights = () => rightsOf(preset, permissions, commands());
  rights();
  const execute = commandExecutor({
    command: withWords(command, args),
    rights,
    ...(idleTimeoutMs !== undefined && { idleTimeoutMs }),
    ...limits,
    preset,
  });
  return async (delegation, signal, progress) => {
    const reply = await execute(delegation, signal, progress);
    if (reply.denials === undefined) return reply;
    const denials = withAdvice(reply.denials, preset, permissions, commands());
    const { denials: _all, ...rest } = reply;
    return denials.length === 0 ? rest : { ...rest, denials };
  };
}

/** Denials that a person can do something about, and what. Not those of Verify, which the coordinator runs itself. */
const withAdvice = (
  denials: readonly DeniedAct[],
  preset: Preset,
  permissions: PermissionLevel,
  commands: readonly string[],
): DeniedAct[] =>
  denials
    .filter(({ act }) => permissions !== "edit" || !commands.some((command) => isSame(command, act)))
    .map((denied) => ({ ...denied, ...adviseRight(preset, permissions) }));

/** An act stands on one line, and may be cut. */
const isSame = (command: string, act: string): boolean => command.replace(/\s+/g, " ").trim().startsWith(act);

/** A command line with words added to it. A `-` at the end, which stands for the prompt on stdin, stays there. */
export function withWords(command: string, words: string): string {
  if (words.trim() === "") return command;
  return command.endsWith(" -") ? `${command.slice(0, -2)} ${words} -` : `${command} ${words}`;
}

/** How a person allows an act: what to do, and the words for the command line where they are known. */
type Advice = Required<Pick<DeniedAct, "allow">> & Pick<DeniedAct, "words">;

const everything: Advice = { allow: "Let it do anything", words: ["--permissions", "full"] };

/** How a person allows an act that a tool denied at a permission level. */
function adviseRight({ name, rights: { edit } }: Preset, permissions: PermissionLevel): Advice {
  if (permissions === "full") return { allow: "Its own settings forbid it: change them" };
  if (permissions === "edit") return everything;
  if (typeof edit === "function") {
    return { allow: "Let it write files, run Verify and commit", words: ["--permissions", "edit"] };
  }
  if (edit.instead === null) return everything;
  return { allow: "Give it the flags for it", words: ["--executor-args", `${name}: ${edit.instead}`] };
}
