import type { CommandEnd } from "../model/evidence.ts";

/** How a command ended. A non-zero exit is a result; a command that cannot start throws. */
export interface CommandResult extends CommandEnd {
  /** The end of each stream. */
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
}

/** Options for running a command. */
export interface CommandOptions {
  readonly timeoutMs: number;
  /** Name for storing the whole output with the run. */
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
  /** Names of variables that look like secrets: those passed to commands, and those withheld. Not given: none. */
  readonly secrets?: { readonly passed: readonly string[]; readonly withheld: readonly string[] };
  /** Whether a word names a command that exists in the workspace environment. */
  exists(word: string): Promise<boolean>;
}
