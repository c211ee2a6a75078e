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
