import { accessSync, constants, statSync } from "node:fs";
import { delimiter, resolve } from "node:path";
import { EnvironmentError, InputError } from "../../model/errors.ts";

/** Maximum length of one argument on Linux, in bytes. */
const longestBytes = 128 * 1024 - 1;

/** Reason, as a clause, why a shell cannot run a command; null if it can. */
export function whyTooLong(command: string): string | null {
  const bytes = Buffer.byteLength(command);
  return bytes <= longestBytes ? null : `it has ${bytes} bytes, and a shell accepts at most ${longestBytes}`;
}

/**
 * Check that a shell can run the commands. Call this before the work that the commands verify.
 *
 * @throws {EnvironmentError} `shell-missing`
 * @throws {InputError} `command-too-long`
 */
export function checkCommands(commands: readonly string[], workspace: string): void {
  if (commands.length === 0) return;
  if (findCommand("sh", workspace) === null) {
    throw new EnvironmentError("Cannot run the commands that verify tasks, expected `sh` on the PATH", {
      code: "shell-missing",
      hint: "Add the folder of `sh` to the PATH, usually /bin",
    });
  }
  for (const command of commands) {
    const reason = whyTooLong(command);
    if (reason === null) continue;
    throw new InputError(`Cannot run the command that begins with \`${command.slice(0, 60)}\`: ${reason}`, {
      code: "command-too-long",
      hint: "Write it into a script, and run the script",
    });
  }
}

/**
 * Find the file of a command name: on the path, or relative to the workspace if the name has a slash.
 *
 * @param path Folders as `PATH` lists them.
 * @returns The absolute path of the file; null if there is no such executable file.
 */
export function findCommand(word: string, workspace: string, path = process.env["PATH"] ?? ""): string | null {
  if (word === "") return null;
  const folders = word.includes("/") ? [""] : path.split(delimiter);
  return folders.map((folder) => resolve(workspace, folder, word)).find(canRun) ?? null;
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
