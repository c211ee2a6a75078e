import type { Surroundings } from "./terminal.ts";

/**
 * Options as they were written: text for one with a value, a list of texts for one that may be repeated, true for a
 * switch, undefined for one not given.
 */
export type OptionValues = Readonly<Record<string, string | readonly string[] | boolean | undefined>>;

export interface CliOption {
  /** As commander reads it, e.g. `--max-cost <usd>`. */
  readonly flags: string;
  readonly summary: string;
  /** Heading below which its help stands; that of all others when not given. */
  readonly group?: string;
  /** Whether it may be given several times. */
  readonly repeats?: true;
}

/** One command of the command line, loaded when it is called. */
export interface CliCommand {
  readonly options: readonly CliOption[];
  /** Shown below its help. */
  readonly example: string;
  /** @returns The exit code. */
  run(argument: string | undefined, values: OptionValues, surroundings: Surroundings): Promise<number>;
}
