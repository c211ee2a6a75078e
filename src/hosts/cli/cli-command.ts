/**
 * Options as they were written: text for one with a value, a list of texts for one that may be repeated, true for a
 * switch, undefined for one not given.
 */
export type OptionValues = Readonly<Record<string, string | readonly string[] | boolean | undefined>>;

export interface CliOption {
  /** As commander reads it, e.g. `--max-cost <usd>`. */
  readonly flags: string;
  readonly summary: string;
  /** What the help of all options adds to it. */
  readonly details?: string;
  /** Whether the short help of a command with many options shows it. */
  readonly basic?: true;
  /** Heading below which its help stands; that of all others when not given. */
  readonly group?: string;
  /** Whether it may be given several times. */
  readonly repeats?: true;
  /** The values that it takes, if these are known. */
  readonly choices?: readonly string[];
}

/** More options than these take more than a screen: their help is short, and `--help-all` shows them all. */
const mostAtOnce = 24;

export const isLong = (options: readonly CliOption[]): boolean => options.length > mostAtOnce;

/** A command, whose file is loaded when it is called. */
export interface CommandEntry {
  readonly name: string;
  readonly argument: string;
  readonly summary: string;
  readonly load: () => Promise<CliCommand>;
}

/** One command of the command line, loaded when it is called. */
export interface CliCommand {
  readonly options: readonly CliOption[];
  /** The values that its arguments take, by their names, if these are known. */
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  /** Shown below its help. */
  readonly example: string;
  /** @returns The exit code. */
  run(call: Call): Promise<number>;
}

/** A call of a command. */
export interface Call {
  /** What stands behind the command, without its options. */
  readonly words: readonly string[];
  /** What stands behind `--`, where the command takes files there. */
  readonly files?: readonly string[];
  readonly values: OptionValues;
  /** All commands of the program. */
  readonly commands: readonly CommandEntry[];
  readonly surroundings: Surroundings;
}

/** Where a command prints, and what it may know of the place. */
export interface Terminal {
  /** Standard output. Once its reader is gone nothing is printed any more. */
  out(text: string): void;
  /** Standard error. */
  err(text: string): void;
  /** Whether a person watches and the cursor can be moved: no pipe, no CI, no `TERM=dumb`. */
  readonly isTTY: boolean;
  /** Its size at this moment. */
  readonly columns: number;
  readonly rows: number;
  readonly colour: boolean;
  /** Milliseconds since 1970. */
  now(): number;
  /**
   * Have something done again and again. It keeps nothing alive.
   *
   * @returns Ends it.
   */
  everySecond(act: () => void): () => void;
  /**
   * Puts a question to the person and gives the answer, empty at the end of input; absent when nobody can answer.
   * Rejects with the reason of the interrupt, or of the signal: the question is answered elsewhere.
   */
  readonly ask?: (question: string, signal?: AbortSignal) => Promise<string>;
}

/** What a command is given besides its own words. */
export interface Surroundings {
  readonly terminal: Terminal;
  /** Absolute path of the current folder. */
  readonly folder: string;
  /** Aborted by an interrupt, and when the output's reader is gone. Who never asks for it is ended by a signal at once. */
  readonly signal: AbortSignal;
  /** Has SIGTERM ask first whether it was for a part of what is at work, which then ends it. */
  readonly heedStop?: (isForPart: () => boolean) => void;
}

// What JSON leaves as it is but a terminal may obey or hide.
const bare = /(?!\ufe0e|\ufe0f)[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{DI}]/gu;

/** A value as one line of JSON that is also safe to look at on a terminal. */
export const renderJson = (value: unknown): string => JSON.stringify(value).replace(bare, escapeUnits);

const escapeUnits = (character: string): string =>
  character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
