import type { CommandEnd } from "../model/evidence.ts";

/** How a command ended. A non-zero exit is a result; what cannot be started is thrown. */
export interface CommandResult extends CommandEnd {
  /** The last part of each stream. */
  readonly stdout: string;
  readonly stderr: string;
  readonly durationMs: number;
}

/** How a command is run. */
export interface CommandOptions {
  readonly timeoutMs: number;
  /** Name under which its whole output is kept, among those of the run. */
  readonly keepAs?: string;
}

/** Runs the plan's Verify commands. */
export interface Shell {
  /** @param command For `sh -c`, in the workspace, with a time limit and its own process group. */
  run(command: string, options: CommandOptions, signal: AbortSignal): Promise<CommandResult>;
  /**
   * Read the whole of an output that was kept, stdout first, piece by piece. Answers whether it was kept; a shell that
   * keeps nothing has no such function, and what its results hold is taken for the whole.
   */
  readKept?(name: string, see: (piece: string) => void): Promise<boolean>;
  /**
   * Names of variables whose names look like secrets: those that commands get nevertheless, and those that they do not.
   * None when not given.
   */
  readonly secrets?: { readonly passed: readonly string[]; readonly withheld: readonly string[] };
  /** Whether a word names a command that can be run there. */
  exists(word: string): Promise<boolean>;
}
