/**
 * Options as typed: a text, a list of texts for an option that may be repeated, or whether a switch is on; undefined if
 * not given.
 */
export type OptionValues = Readonly<Record<string, string | readonly string[] | boolean | undefined>>;

export interface CliOption {
  /** Declaration in the form of commander, such as `--max-cost <usd>`. */
  readonly flags: string;
  readonly summary: string;
  /** Text that follows the summary in the full help. */
  readonly details?: string;
  /** Whether the short help of a command with many options shows this option. */
  readonly basic?: true;
  /** Heading in the help; the default heading when not given. */
  readonly group?: string;
  readonly repeats?: true;
  readonly choices?: readonly string[];
}

/**
 * Maximum number of options in a help text. A command with more options shows a short help, and all options with
 * `--help-all`.
 */
const mostAtOnce = 24;

export const isLong = (options: readonly CliOption[]): boolean => options.length > mostAtOnce;

/** A command in the list of all commands; its file is loaded when it is called. */
export interface CommandEntry {
  readonly name: string;
  readonly argument: string;
  readonly summary: string;
  readonly load: () => Promise<CliCommand>;
}

export interface CliCommand {
  readonly options: readonly CliOption[];
  /** Possible values of the command's arguments, by argument name, if known. */
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  readonly example: string;
  /** @returns The exit code. */
  run(call: Call): Promise<number>;
}

export interface Call {
  /** Arguments after the command, without its options. */
  readonly words: readonly string[];
  /** Arguments after `--`, for commands that take files. */
  readonly files?: readonly string[];
  readonly values: OptionValues;
  readonly commands: readonly CommandEntry[];
  readonly surroundings: Surroundings;
}

export interface Terminal {
  /** Write to standard output. Does nothing after the reader has closed the output. */
  out(text: string): void;
  err(text: string): void;
  /** Whether a person watches and the cursor can be moved: no pipe, no CI, no `TERM=dumb`. */
  readonly isTTY: boolean;
  /** Current size, in characters. */
  readonly columns: number;
  readonly rows: number;
  readonly colour: boolean;
  /** Milliseconds since 1970. */
  now(): number;
  /**
   * Call a function every second, without keeping the process alive.
   *
   * @returns A function that stops the calls.
   */
  everySecond(act: () => void): () => void;
  /**
   * Ask the person a question. Resolves to the answer, which is empty at the end of input. Rejects with the reason of
   * an interrupt or of `signal`, which aborts if the question is answered elsewhere. Absent if no one can answer.
   */
  readonly ask?: (question: string, signal?: AbortSignal) => Promise<string>;
}

export interface Surroundings {
  readonly terminal: Terminal;
  /** Absolute path of the current folder. */
  readonly folder: string;
  /**
   * Aborted by an interrupt, or when the reader closes the output. Reading this property installs the signal handlers;
   * before that, a signal ends the process at once.
   */
  readonly signal: AbortSignal;
  /**
   * Register a check that runs first on SIGTERM and SIGUSR2. If the check returns true, the signal stops only a part of
   * the work, and the process continues.
   */
  readonly heedStop?: (isForPart: () => boolean) => void;
}

// Characters that JSON does not escape but that a terminal may obey or hide.
const bare = /(?!\ufe0e|\ufe0f)[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{DI}]/gu;

/** Serialize a value as one line of JSON that is safe to print on a terminal. */
export const renderJson = (value: unknown): string => JSON.stringify(value).replace(bare, escapeUnits);

const escapeUnits = (character: string): string =>
  character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
