import { closeSync, openSync, readdirSync, readlinkSync, readSync } from "node:fs";
import type { Process, ProcessTable } from "./process-table.ts";

/** The processes of this machine by `/proc`; null if it is not available. */
export function openProc(): ProcessTable | null {
  isInProc ??= ownIdInProc() === String(process.pid);
  return isInProc ? inProc : null;
}
let isInProc: boolean | undefined;

const inProc: ProcessTable = {
  self: process.pid,
  isSnapshot: false,
  // The system sorts ids as text.
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
  // The exit signal: threads have none, and are found only under their own ids.
  if (number(35) === -1) return null;
  return {
    pid,
    parent: number(1),
    group: number(2),
    session: number(3),
    terminal: number(4) !== 0,
    pidStart: words[19] ?? "",
    second: null,
    // Thread count and memory: a process that is replacing its program still has some.
    isDead: number(17) <= 1 && number(20) === 0,
  };
}

/** In a process namespace without its own `/proc`, ids in `/proc` belong to other processes. */
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
