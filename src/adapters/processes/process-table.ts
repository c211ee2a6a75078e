/** The processes of the system. */
export interface ProcessTable {
  /** The id of this process. */
  readonly self: number;
  /** Whether the table shows a single moment: then processes that constantly start others are ended by group. */
  readonly isSnapshot: boolean;
  /** All ids in rising order, so that a shell ends before its command and does not run the next command. */
  pids(): number[];
  /** The process with an id; null for an ended process, and for a thread. */
  find(pid: number): Process | null;
  /** The environment of a process, with one character per byte and NUL after each variable; null without permission. */
  environment(pid: number): string | null;
  /** The last process id assigned; 0 if unknown. */
  newestPid(): number;
  /** The maximum process id, after which ids wrap around; 0 if unknown. */
  highestPid(): number;
}

/** A process, as the system lists it. */
export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** The group if only `ps` is available. */
  readonly session: number;
  /** Whether it has a controlling terminal. */
  readonly terminal: boolean;
  /** In ticks since boot; null if only `ps` is available. */
  readonly pidStart: string | null;
  /** In whole seconds since 1970; null if `/proc` is available. */
  readonly second: number | null;
  /** Whether it is a zombie or a kernel thread. A process of which only the first thread ended is neither. */
  readonly isDead: boolean;
}
