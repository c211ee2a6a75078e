import { lstatSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { splitCommand } from "../model/command-line.ts";
import { InputError } from "../model/errors.ts";
import { streamIdleMs } from "../model/limits.ts";
import type { DeniedAct, PermissionLevel, Reply } from "../model/reply.ts";
import { claimSchema } from "../parse/claim.ts";
import type { Delegation, TellProgress } from "../ports/executor.ts";
import { refused } from "./files/refused.ts";
import { noRights, type Preset, type Rights, rightsOf, type SchemaSource } from "./presets/preset.ts";
import { findPreset, isToolProgram } from "./presets/presets.ts";
import { followOutput } from "./processes/follow-output.ts";
import { keepOutput } from "./processes/keep-output.ts";
import { makeOutputFolder, outputPaths } from "./processes/open-output.ts";
import { keepMessage, readReply } from "./processes/read-reply.ts";
import { type Environment, runCommand } from "./processes/run-command.ts";
import { findCommand } from "./processes/shell-command.ts";

export interface CommandExecutorOptions {
  /** Split into words like a shell command, but run without a shell. */
  readonly command: string;
  /** Absolute base folder of a relative program path (the working folder by default). */
  readonly folder?: string;
  /** Arguments after the command, and variables; called for each task (none by default). */
  readonly rights?: () => Rights;
  /** Parser for the program's stdout (by default, the whole stdout is the final message). */
  readonly preset?: Preset;
  /** Absolute folder for the program's output, created if missing (by default, a temporary folder). */
  readonly outputFolder?: string;
  readonly taskTimeoutMs: number;
  /** Maximum time without output in milliseconds (no limit by default: many agents print nothing until the end). */
  readonly idleTimeoutMs?: number;
  /**
   * Whether to request the claim as JSON in a fixed schema, if the preset supports that. Otherwise the claim is read
   * from the message.
   */
  readonly structuredClaim?: boolean;
  /** Maximum bytes of output (no limit by default). */
  readonly outputCapBytes?: number;
  /** Milliseconds between SIGTERM and SIGKILL when the processes of the program are ended (5000 by default). */
  readonly graceMs?: number;
  /** Variables in addition to those of this process. */
  readonly env?: Environment;
  /** Names of variables of this process to withhold (none by default). */
  readonly without?: readonly string[];
}

type ProgramExecutor = (delegation: Delegation, signal: AbortSignal, progress?: TellProgress) => Promise<Reply>;

/**
 * Makes an executor that runs a program with the prompt on stdin. The final message is the program's stdout, unless a
 * preset finds the message in it. The progress is the last action of the program, or its last output line.
 *
 * The reply holds the last MiB of the message and the last 16 KiB of stderr. The output folder keeps a message found in
 * a stream, and each stream up to 32 MiB; of a longer stream, it keeps the first and last 16 MiB. A repeated delegation
 * overwrites these files. If a signal ended the program, the exit code is 128 + the signal's number, as in shells.
 *
 * @throws {InputError} `command-unreadable`
 * @throws {EnvironmentError} during execution: `command-not-started`, `output-not-opened`, `output-not-written`,
 *   `processes-left`, and `file-refused` if a message file cannot be written or removed.
 */
export function commandExecutor(options: CommandExecutorOptions): ProgramExecutor {
  const { command, preset, taskTimeoutMs, idleTimeoutMs, outputCapBytes, graceMs, env = {} } = options;
  const { rights = () => noRights, without = [] } = options;
  const [file, ...args] = splitCommand(command);
  // Read the environment once, because reading all variables takes a while.
  const own = Object.entries(process.env).filter(([name]) => !without.includes(name));
  const variables = { ...Object.fromEntries(own), ...env };
  let folder: string | undefined;
  let program: string | null = null;
  return async (delegation, signal, tell = () => {}) => {
    folder ??= prepareFolder(options.outputFolder);
    // Reviewers and repair operators make no claim.
    const mayClaim = delegation.role === "executor" || delegation.role === "verifier";
    const structuredClaim = options.structuredClaim === true && mayClaim;
    const asking = structuredClaim ? (preset?.claimWords?.(schemaIn(folder)) ?? []) : [];
    const paths = outputPaths(folder, delegation.key);
    // Remove the message file of a previous program: this program may write no message file.
    refused("remove", paths.message, () => {
      if (lstatSync(paths.message, { throwIfNoEntry: false }) !== undefined) rmSync(paths.message, { force: true });
    });
    const output = keepOutput(file, { folder, paths });
    const followed = followOutput(output.stdout, preset, { structuredClaim }, tell, signal);
    const given = rights();
    try {
      // Look up the program once: otherwise the system searches every folder of the PATH at each start.
      program ??= findCommand(file, options.folder ?? delegation.workspace);
      const end = await runCommand(
        program ?? file,
        [...args, ...given.args, ...asking],
        {
          cwd: delegation.workspace,
          env: { ...variables, ...given.env, ...protocolVariables(delegation) },
          stdin: delegation.prompt,
          stdout: output.stdout,
          stderr: output.stderr,
          timeoutMs: taskTimeoutMs,
          idleTimeoutMs,
          look: (hasPrinted) => {
            const waits = followed.look(hasPrinted);
            if (hasPrinted) output.tend(followed.readBytes());
            return waits;
          },
          outputCapBytes,
          graceMs,
        },
        signal,
      );
      const isTool = preset !== undefined || isToolProgram(file);
      return await readReply({ ...output, message: paths.message }, end, followed, isTool);
    } finally {
      await followed.stop();
      await output.close();
    }
  };
}

/**
 * Return the error `executor-not-found` for a program that cannot be called; null if the program exists.
 *
 * @param workspace Absolute.
 */
export function whyMissing(program: string, workspace: string): InputError | null {
  if (findCommand(program, workspace) !== null) return null;
  return new InputError(`Cannot find executor \`${program}\`, expected a program on the PATH or in \`${workspace}\``, {
    code: "executor-not-found",
    hint:
      program.includes("/") || findCommand(`./${program}`, workspace) === null
        ? "Check its spelling, and that it is executable"
        : `Did you mean ./${program}?`,
  });
}

const protocolVariables = ({ spec, taskId, role, attempt, key, progressFile }: Delegation): Environment => ({
  FIXPOINT_SPEC: spec,
  FIXPOINT_TASK_ID: taskId,
  FIXPOINT_ROLE: role,
  FIXPOINT_ATTEMPT: String(attempt),
  FIXPOINT_KEY: key,
  FIXPOINT_PROGRESS_FILE: progressFile,
});

/** Pass the claim schema as JSON, or as a file in the output folder: some tools need a file. */
const schemaIn = (folder: string): SchemaSource => ({
  json: () => JSON.stringify(claimSchema()),
  file: () => {
    const path = join(folder, "claim.schema.json");
    keepMessage(path, JSON.stringify(claimSchema()));
    return path;
  },
});

function prepareFolder(path: string | undefined): string {
  if (path === undefined) return mkdtempSync(join(tmpdir(), "fixpoint-"));
  makeOutputFolder(path);
  return path;
}

export interface PresetExecutorOptions extends Omit<CommandExecutorOptions, "command" | "preset" | "rights"> {
  /** Command line that replaces the preset's command line, for example to name a model. */
  readonly command?: string;
  /** Further words of the command line, such as `--model opus`. */
  readonly args?: string;
  /** Permission level of the tool (`tool` by default: the tool's own settings decide). */
  readonly permissions?: PermissionLevel;
  /** Commands that the level `edit` allows; called for each task (none by default). */
  readonly commands?: () => readonly string[];
}

/**
 * Makes an executor of a known tool.
 *
 * @param name Name of the tool, such as `claude`; `presets` lists all names.
 * @param options A preset with a stream has an idle limit by default.
 * @throws {InputError} `preset-unknown`, `command-unreadable`, `permissions-not-held`; during execution, the errors of
 *   a command executor.
 */
export function presetExecutor(name: string, options: PresetExecutorOptions): ProgramExecutor {
  const preset = findPreset(name);
  const { command = preset.command, args = "", permissions = "tool", commands = () => [], ...limits } = options;
  const rights = () => rightsOf(preset, permissions, commands());
  rights();
  const execute = commandExecutor({
    command: withWords(command, args),
    rights,
    // Tools without a stream print nothing until their end, so they get no idle limit.
    ...(preset.openReader !== undefined && { idleTimeoutMs: streamIdleMs }),
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

/** Keep denials that a person can resolve, and add advice. Skip Verify commands, which the coordinator runs itself. */
const withAdvice = (
  denials: readonly DeniedAct[],
  preset: Preset,
  permissions: PermissionLevel,
  commands: readonly string[],
): DeniedAct[] =>
  denials
    .filter(({ act }) => permissions !== "edit" || !commands.some((command) => isSame(command, act)))
    .map((denied) => ({ ...denied, ...adviseRight(preset, permissions) }));

/** Return whether an act names this command. An act is one line, and may be cut off. */
const isSame = (command: string, act: string): boolean => command.replace(/\s+/g, " ").trim().startsWith(act);

/** Add words to a command line. A trailing `-`, which means the prompt on stdin, stays at the end. */
export function withWords(command: string, words: string): string {
  if (words.trim() === "") return command;
  return command.endsWith(" -") ? `${command.slice(0, -2)} ${words} -` : `${command} ${words}`;
}

/**
 * `allow`: advice to allow a denied act. `words`: command-line words that allow the act; missing if no such words
 * exist.
 */
type Advice = Required<Pick<DeniedAct, "allow">> & Pick<DeniedAct, "words">;

const everything: Advice = { allow: "Allow the tool to do everything", words: ["--permissions", "full"] };

function adviseRight({ name, rights: { edit } }: Preset, permissions: PermissionLevel): Advice {
  if (permissions === "full") return { allow: "The tool's own settings forbid this: change them" };
  if (permissions === "edit") return everything;
  if (typeof edit === "function") {
    return { allow: "Allow the tool to write files, run Verify and commit", words: ["--permissions", "edit"] };
  }
  if (edit.instead === null) return everything;
  return { allow: "Add the flags of the tool that allow this", words: ["--executor-args", `${name}: ${edit.instead}`] };
}
