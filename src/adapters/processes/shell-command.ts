import { EnvironmentError, InputError } from "../../model/errors.ts";
import { findCommand } from "./find-command.ts";

/** The longest argument that Linux gives a program, whatever its other limits are. */
const longestBytes = 128 * 1024 - 1;

/** Why a command cannot be given to a shell, as a clause; null when it can. */
export function whyTooLong(command: string): string | null {
  const bytes = Buffer.byteLength(command);
  return bytes <= longestBytes ? null : `it has ${bytes} bytes, of which a shell can be given ${longestBytes}`;
}

/**
 * Check that commands can be given to a shell, before anybody starts the work that they verify.
 *
 * @throws {EnvironmentError} `shell-missing`
 * @throws {InputError} `command-too-long`
 */
export function checkCommands(commands: readonly string[], workspace: string): void {
  if (commands.length === 0) return;
  if (findCommand("sh", workspace) === null) {
    throw new EnvironmentError("Cannot run the commands that verify tasks, expected `sh` on the PATH", {
      code: "shell-missing",
      hint: "Put the folder of `sh` on the PATH, most often /bin",
    });
  }
  for (const command of commands) {
    const reason = whyTooLong(command);
    if (reason === null) continue;
    throw new InputError(`Cannot run the command that begins with \`${command.slice(0, 60)}\`: ${reason}`, {
      code: "command-too-long",
      hint: "Write it into a script, and have that run",
    });
  }
}
