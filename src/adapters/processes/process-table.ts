import { closeSync, openSync, readdirSync, readlinkSync, readSync } from "node:fs";

/** What a system reports about its processes. */
export interface ProcessTable {
  /** The id of this process. */
  readonly self: number;
  /** False where processes cannot be listed: then only groups are known. */
  isListed(): boolean;
  /** In rising order, so that a shell is ended before its command and does not go on with the next. */
  pids(): number[];
  /** Null for a process that is gone. */
  stat(pid: number): Stat | null;
  /** Its environment, a character for each byte and a NUL after each variable; null when we may not read it. */
  environment(pid: number): string | null;
  /** The process id that was given out last. */
  newestPid(): number;
  /** The highest possible process id, after which ids start over. */
  highestPid(): number;
  /** True also while only zombies are left in the group. */
  hasGroup(leader: number): boolean;
}

export interface Stat {
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Whether it has a controlling terminal. */
  readonly terminal: boolean;
  readonly startedAt: string;
  /** Its threads. A process whose first thread has ended looks dead, but has more than 1. */
  readonly threads: number;
  /** Its memory. 0 for kernel threads and the dead, never for a process that is becoming another program. */
  readonly memory: number;
}

let listing: boolean | undefined;
let highest: number | undefined;

/** The process table in `/proc`, where there is one. */
export const systemTable: ProcessTable = {
  self: process.pid,
  // In a process namespace without its own `/proc` the ids in `/proc` belong to other processes.
  isListed: () => (listing ??= ownIdInProc() === String(process.pid)),
  // The system sorts ids as words.
  pids: () =>
    readdirSync("/proc")
      .map(Number)
      .filter(Number.isInteger)
      .toSorted((a, b) => a - b),
  stat: (pid) => {
    const text = readProc(`${pid}/stat`);
    return text === null ? null : parseStat(text);
  },
  environment: (pid) => readProc(`${pid}/environ`),
  // The fifth word of `0.00 0.04 0.04 2/86 5263`.
  newestPid: () => Number(readProc("loadavg")?.split(" ").at(-1)),
  highestPid: () => (highest ??= Number(readProc("sys/kernel/pid_max"))),
  hasGroup: (leader) => {
    try {
      process.kill(-leader, 0);
      return true;
    } catch (error) {
      return error instanceof Error && "code" in error && error.code === "EPERM";
    }
  },
};

/** `pid (name) state parent group session terminal …`, where the name may hold anything. */
export function parseStat(text: string): Stat {
  const words = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const number = (at: number): number => Number(words[at]);
  return {
    parent: number(1),
    group: number(2),
    session: number(3),
    terminal: number(4) !== 0,
    threads: number(17),
    startedAt: words[19] ?? "",
    memory: number(20),
  };
}

function ownIdInProc(): string | null {
  try {
    return readlinkSync("/proc/self");
  } catch {
    return null;
  }
}

function readProc(path: string): string | null {
  let fd: number | undefined;
  try {
    fd = openSync(`/proc/${path}`, "r");
    let text = "";
    for (let count = -1; count !== 0; text += chunk.toString("latin1", 0, count)) count = readSync(fd, chunk);
    return text;
  } catch {
    return null;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** One buffer for all: `readFileSync` would allocate as much for each of these files, since they have no size. */
const chunk = Buffer.allocUnsafe(64 * 1024);
