import type { Surroundings } from "./terminal.ts";

/** Options as they were written: text for one with a value, true for a switch, undefined for one not given. */
export type CliWords = Readonly<Record<string, string | boolean | undefined>>;

export interface CliOption {
  /** As commander reads it, e.g. `--max-cost <usd>`. */
  readonly flags: string;
  readonly summary: string;
}

/** One command of the command line, loaded when it is called. */
export interface CliCommand {
  readonly options: readonly CliOption[];
  /** Shown below its help. */
  readonly example: string;
  /** @returns The exit code. */
  run(argument: string | undefined, words: CliWords, surroundings: Surroundings): Promise<number>;
}
