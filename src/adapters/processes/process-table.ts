import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, readdirSync, readlinkSync, readSync } from "node:fs";

export interface ProcessTable {
  readonly self: number;
  /** Whether the table shows one moment and misses later processes. Processes are then signalled by group. */
  readonly isSnapshot: boolean;
  /** All ids in rising order, so that a shell ends before its command and does not run the next command. */
  pids(): number[];
  /** Null for an ended process or a thread. */
  find(pid: number): Process | null;
  /** The environment of a process, with one character per byte and NUL after each variable; null without permission. */
  environment(pid: number): string | null;
  /** The last process id assigned; 0 if unknown. */
  newestPid(): number;
  /** The maximum process id, after which ids wrap around; 0 if unknown. */
  highestPid(): number;
}

export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Id of the session, or of the group if only `ps` is available. */
  readonly session: number;
  readonly terminal: boolean;
  /** Start time, in ticks since boot; null if only `ps` is available. */
  readonly pidStart: string | null;
  /** Start time, in whole seconds since 1970; null if `/proc` is available. */
  readonly second: number | null;
  /** Whether the process is a zombie or a kernel thread. A process whose first thread ended is not dead. */
  readonly isDead: boolean;
}

export function openProc(): ProcessTable | null {
  isInProc ??= ownIdInProc() === String(process.pid);
  return isInProc ? inProc : null;
}
let isInProc: boolean | undefined;

const inProc: ProcessTable = {
  self: process.pid,
  isSnapshot: false,
  // Sort ids as numbers: the system sorts them as text.
  pids: () =>
    readdirSync("/proc")
      .map(Number)
      .filter(Number.isInteger)
      .toSorted((a, b) => a - b),
  find: (pid) => {
    const text = readProc(`${pid}/stat`);
    return text === null ? null : parseStat(pid, text);
  },
  environment: (pid) => readProc(`${pid}/environ`),
  // The fifth word, as in `0.00 0.04 0.04 2/86 5263`.
  newestPid: () => Number(readProc("loadavg")?.split(" ").at(-1)),
  highestPid: () => (highest ??= Number(readProc("sys/kernel/pid_max"))),
};
let highest: number | undefined;

/** Parse `pid (name) state parent group session terminal …`, where the name may contain anything. */
export function parseStat(pid: number, text: string): Process | null {
  const words = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const number = (at: number): number => Number(words[at]);
  // Skip threads: they have no exit signal, and are found only under their own ids.
  if (number(35) === -1) return null;
  return {
    pid,
    parent: number(1),
    group: number(2),
    session: number(3),
    terminal: number(4) !== 0,
    pidStart: words[19] ?? "",
    second: null,
    // Check the number of threads and the memory: a process that is replacing its program still has memory.
    isDead: number(17) <= 1 && number(20) === 0,
  };
}

/**
 * The id of this process in `/proc`. A process namespace without a separate `/proc` shows an id of the outer namespace.
 */
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

/** A shared buffer: `readFileSync` would allocate this much per file, since these files have no size. */
const chunk = Buffer.allocUnsafe(64 * 1024);

/** Absolute paths, since the caller sets `PATH`. */
const listers = ["/bin/ps", "/usr/bin/ps"];

/**
 * List processes with `ps`: once with their environment after the command, and once without, so that no argument is
 * mistaken for a variable.
 *
 * @returns Null if there is no `ps`, or if it lists another process namespace.
 */
export function listByPs(platform: string = process.platform): ProcessTable | null {
  const ps = listers.find((path) => existsSync(path));
  if (ps === undefined) return null;
  const list = (letters: string): string => {
    const { stdout, status } = spawnSync(ps, [letters, `${columns}command=`], {
      env: { LC_ALL: "C.UTF-8", TZ: "UTC" },
      encoding: "latin1",
      maxBuffer: 256 * 1024 * 1024,
    });
    return status === 0 ? stdout : "";
  };
  const rows = parseListing(list("-axwwo"));
  // Reject a listing of another process namespace, in which this process has another id.
  if (rows.get(process.pid)?.process.parent !== process.ppid) return null;
  let marked: ReturnType<typeof parseListing> | undefined;
  return {
    self: process.pid,
    isSnapshot: true,
    pids: () => [...rows.keys()].toSorted((a, b) => a - b),
    find: (pid) => rows.get(pid)?.process ?? null,
    environment: (pid) => {
      const plain = rows.get(pid);
      marked ??= parseListing(list(platform === "darwin" ? "-axwwEo" : "axwweo"));
      const whole = marked.get(pid);
      if (plain === undefined || whole === undefined) return null;
      return whole.command.startsWith(`${plain.command} `)
        ? variablesIn(whole.command.slice(plain.command.length))
        : null;
    },
    newestPid: () => 0,
    highestPid: () => 0,
  };
}

const columns = "pid=,ppid=,pgid=,tty=,state=,lstart=,";

interface Row {
  readonly process: Process;
  readonly command: string;
}

/** Parse a listing. Not every `ps` prints sessions, so the group is used as the session. */
export function parseListing(text: string): ReadonlyMap<number, Row> {
  const lines = text.matchAll(/^ *(\d+) +(\d+) +(\d+) +(\S+) +(\S+) +(\w{3} +\w{3} +\d+ [\d:]{8} \d{4})(?: +(.*))?$/gm);
  return new Map(
    [...lines].map(([, id, parent, group, tty = "", state = "", started = "", command = ""]) => {
      const pid = Number(id);
      const process = {
        pid,
        parent: Number(parent),
        group: Number(group),
        session: Number(group),
        terminal: !/^[?-]+$/.test(tty),
        pidStart: null,
        second: Date.parse(`${started} UTC`) / 1000,
        isDead: state.startsWith("Z"),
      };
      return [pid, { process, command }];
    }),
  );
}

/** Variables with NUL after each, from the output of `ps`, where blanks separate them. */
const variablesIn = (text: string): string => `${text.trimStart().replace(/ (?=[A-Za-z_]\w*=)/g, "\0")}\0`;

export const openTable = (): ProcessTable | null => openProc() ?? listByPs();

/** Whether a process group exists. True also while only zombies are left in the group. */
export function hasGroup(leader: number): boolean {
  try {
    process.kill(-leader, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

export interface Ancestry {
  /**
   * This process, its ancestors, and the living leaders of their groups and sessions with their ancestors; nearest
   * first.
   */
  readonly line: readonly Process[];
  /** Ended leaders, whose ids are not reused while their group or session lasts. */
  readonly ended: readonly number[];
}

/**
 * Find the origin of this process by its parents, groups and sessions, which no other process can change. A re-parented
 * process keeps its session until it begins a new session.
 */
export function findAncestry(table: ProcessTable): Ancestry {
  const line: Process[] = [];
  const ended: number[] = [];
  const seen = new Set([0]);
  const meet = (pid: number): void => {
    if (seen.has(pid)) return;
    seen.add(pid);
    const found = table.find(pid);
    if (found === null) ended.push(pid);
    else line.push(found);
  };
  meet(table.self);
  for (const { parent, group, session } of line) for (const pid of [parent, group, session]) meet(pid);
  return { line, ended };
}
