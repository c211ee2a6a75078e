import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { type ProcessTable, systemTable } from "./process-table.ts";

/** A process, as far as descent goes. */
export interface Relative {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** Whether it has a controlling terminal. */
  readonly terminal: boolean;
  /** In ticks since the machine was started; null where only `ps` lists processes. */
  readonly pidStart: string | null;
  /** In whole seconds since 1970; null where `/proc` lists processes. */
  readonly second: number | null;
}

/** This process and those that it comes from. */
export interface Ancestry {
  /** This process, its ancestors, and the living leaders of their groups and sessions with theirs; nearest first. */
  readonly line: readonly Relative[];
  /** Leaders that have ended. No other process gets the id of one while its group or session lasts. */
  readonly ended: readonly number[];
}

/**
 * List what this process comes from, from `/proc` or else from `ps`. The kernel keeps parents, groups and sessions: no
 * process changes those of another, and a process that was re-parented keeps its session until it begins its own.
 *
 * @returns Null where neither lists processes.
 */
export function findAncestry(table = systemTable): Ancestry | null {
  const find = table.isListed() ? inTable(table) : inListing();
  if (find === null) return null;
  const line: Relative[] = [];
  const ended: number[] = [];
  const seen = new Set([0]);
  const meet = (pid: number): void => {
    if (seen.has(pid)) return;
    seen.add(pid);
    const found = find(pid);
    if (found === null) ended.push(pid);
    else line.push(found);
  };
  meet(table.self);
  for (const { parent, group, session } of line) for (const pid of [parent, group, session]) meet(pid);
  return { line, ended };
}

type Find = (pid: number) => Relative | null;

const inTable =
  (table: ProcessTable): Find =>
  (pid) => {
    const stat = table.stat(pid);
    if (stat === null) return null;
    const { parent, group, session, terminal, startedAt } = stat;
    return { pid, parent, group, session, terminal, pidStart: startedAt, second: null };
  };

/** Not from the `PATH`, which the caller sets. */
const listers = ["/bin/ps", "/usr/bin/ps"];

function inListing(): Find | null {
  const ps = listers.find((path) => existsSync(path));
  if (ps === undefined) return null;
  const { stdout, status } = spawnSync(ps, ["-axo", "pid=,ppid=,pgid=,tty=,lstart="], {
    env: { LC_ALL: "C", TZ: "UTC" },
    encoding: "latin1",
    maxBuffer: 64 * 1024 * 1024,
  });
  const rows = status === 0 ? parseListing(stdout) : new Map<number, Relative>();
  // In a process namespace of its own this process has another id there.
  return rows.get(process.pid)?.parent === process.ppid ? (pid) => rows.get(pid) ?? null : null;
}

/** `ps` names no sessions everywhere, so that of a process is its group here. */
export function parseListing(text: string): ReadonlyMap<number, Relative> {
  const rows = [...text.matchAll(/^ *(\d+) +(\d+) +(\d+) +(\S+) +(\S.*\S) *$/gm)];
  return new Map(
    rows.map(([, pid, parent, group, tty = "", started = ""]) => {
      const second = Date.parse(`${started} UTC`) / 1000;
      const ids = { pid: Number(pid), parent: Number(parent), group: Number(group), session: Number(group) };
      return [ids.pid, { ...ids, terminal: !/^[?-]+$/.test(tty), pidStart: null, second }];
    }),
  );
}
