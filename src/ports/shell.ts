import type { CommandEnd } from "../model/evidence.ts";

/** How a command ended. A non-zero exit is a result; a command that cannot start throws. */
export interface CommandResult extends CommandEnd {
  /** `stdout` and `stderr` hold only the end of each stream. */
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
}

export interface CommandOptions {
  readonly timeoutMs: number;
  /** Name under which the run stores the whole output. */
  readonly keepAs?: string;
}

/** Runs the plan's Verify commands. */
export interface Shell {
  /**
   * @param command Command line that `sh -c` runs in the workspace, with a time limit and in a process group of its
   * own.
   */
  run(command: string, options: CommandOptions, signal: AbortSignal): Promise<CommandResult>;
  /**
   * Stream a stored output, stdout first; returns whether it was stored. Without this function, a `CommandResult`
   * counts as the whole output.
   */
  readKept?(name: string, see: (piece: string) => void): Promise<boolean>;
  /**
   * Names of environment variables that look like secrets: passed to commands, or withheld. By default, both lists are
   * empty.
   */
  readonly secrets?: { readonly passed: readonly string[]; readonly withheld: readonly string[] };
  /** Whether a command with this name exists in the environment of the workspace. */
  exists(word: string): Promise<boolean>;
}
