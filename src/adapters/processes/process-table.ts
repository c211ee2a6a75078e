/** What the system reports about its processes. */
export interface ProcessTable {
  /** The id of this process. */
  readonly self: number;
  /** Whether it shows one moment only: then processes that start others all the time are ended by their group. */
  readonly isSnapshot: boolean;
  /** In rising order, so that a shell is ended before its command and does not go on with the next. */
  pids(): number[];
  /** Null for a process that is gone, and for a thread. */
  find(pid: number): Process | null;
  /** Its environment, a character for each byte and a NUL after each variable; null when we may not read it. */
  environment(pid: number): string | null;
  /** The process id that was given out last; 0 where the system does not say. */
  newestPid(): number;
  /** The highest possible process id, after which ids start over; 0 where that is unknown. */
  highestPid(): number;
}

/** A process, as the system lists it. */
export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Its group where only `ps` lists processes. */
  readonly session: number;
  /** Whether it has a controlling terminal. */
  readonly terminal: boolean;
  /** In ticks since the machine was started; null where only `ps` lists processes. */
  readonly pidStart: string | null;
  /** In whole seconds since 1970; null where `/proc` lists processes. */
  readonly second: number | null;
  /** Whether it is a zombie or a kernel thread. A process whose first thread alone has ended is none. */
  readonly isDead: boolean;
}
