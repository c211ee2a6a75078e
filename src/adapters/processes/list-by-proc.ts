import { closeSync, openSync, readdirSync, readlinkSync, readSync } from "node:fs";
import type { Process, ProcessTable } from "./process-table.ts";

/** The processes of this machine as `/proc` lists them; null where it does not. */
export function openProc(): ProcessTable | null {
  isInProc ??= ownIdInProc() === String(process.pid);
  return isInProc ? inProc : null;
}
let isInProc: boolean | undefined;

const inProc: ProcessTable = {
  self: process.pid,
  isSnapshot: false,
  // The system sorts ids as words.
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
  // The fifth word of `0.00 0.04 0.04 2/86 5263`.
  newestPid: () => Number(readProc("loadavg")?.split(" ").at(-1)),
  highestPid: () => (highest ??= Number(readProc("sys/kernel/pid_max"))),
};
let highest: number | undefined;

/** `pid (name) state parent group session terminal …`, where the name may hold anything. */
export function parseStat(pid: number, text: string): Process | null {
  const words = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const number = (at: number): number => Number(words[at]);
  // The signal at its end: a thread has none, and stands only under its own id.
  if (number(35) === -1) return null;
  return {
    pid,
    parent: number(1),
    group: number(2),
    session: number(3),
    terminal: number(4) !== 0,
    pidStart: words[19] ?? "",
    second: null,
    // Its threads, and its memory: a process that is becoming another program has some.
    isDead: number(17) <= 1 && number(20) === 0,
  };
}

/** In a process namespace without its own `/proc` the ids in `/proc` belong to other processes. */
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
