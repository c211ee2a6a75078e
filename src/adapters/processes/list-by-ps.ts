import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import type { Process, ProcessTable } from "./process-table.ts";

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
  // In a process namespace of its own, this process has another id in the listing.
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
