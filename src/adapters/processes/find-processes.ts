import type { ProcessIdentity } from "./process-identity.ts";
import type { Process, ProcessTable } from "./process-table.ts";
import { hasGroup, openTable } from "./process-table.ts";

/** Marks by which the processes of a call are found. */
export interface Sought {
  /** Environment variables that each process of the call has. */
  readonly mark: Readonly<Record<string, string>>;
  /** Leader of the process group, started before all other processes of the call. */
  readonly leader?: Leader;
}

interface Leader extends ProcessIdentity {
  /** In milliseconds, by `performance.now()`. */
  readonly startedAt: number;
}

export interface FoundProcess {
  /** Argument for `process.kill`: the process id, or the negative id of the group if the table is a snapshot. */
  readonly pid: number;
  /** Distinguishes the process from later processes with the same id. */
  readonly startedAt: string;
}

export interface FoundProcesses {
  readonly alive: readonly FoundProcess[];
  /**
   * Whether a process may have been missed: it started during the search, or it had no environment while it replaced
   * its program.
   */
  readonly unsettled: boolean;
}

/**
 * Searches for the living processes of a call. The first search reads all candidates; later searches only new
 * processes, and the processes found before.
 *
 * @param meet Called for each process as soon as it is found.
 */
export type Search = (meet?: (process: FoundProcess) => void) => FoundProcesses;

/**
 * Search for the living processes of a call: those in the group of its leader, those with its mark, those found by an
 * earlier search, and all their descendants.
 *
 * Never finds this process or its ancestors. Only the group is found if the system lists no processes.
 */
export function searchFor({ mark, leader }: Sought, open = openTable, isGroup = hasGroup): Search {
  const entries = Object.entries(mark).map(([name, value]) => latin1(`${name}=${value}\0`));
  const known = new Map<number, string>();
  /** Processes that no known ancestor links to the command. */
  const others = new Map<number, Process>();
  let othersSince = -Infinity;
  return (meet = () => {}) => {
    const table = open();
    const group = leader !== undefined && isGroup(leader.pid) ? leader.pid : null;
    const whole = { pid: -(group ?? 0), startedAt: "" };
    if (table === null) {
      if (group !== null) meet(whole);
      return { alive: group === null ? [] : [whole], unsettled: false };
    }
    if (!isRecent(othersSince, table)) {
      others.clear();
      othersSince = performance.now();
    }
    const alive = new Map<number, Process>();
    const undecided = new Map<number, Process>();
    // Signal the whole group, since no search keeps up with a group that constantly starts processes.
    const targetOf = (found: Process): FoundProcess =>
      table.isSnapshot && found.group === group ? whole : { pid: found.pid, startedAt: startOf(found) };
    const take = (found: Process): void => {
      alive.set(found.pid, found);
      known.set(found.pid, startOf(found));
      meet(targetOf(found));
    };
    let newest: number;
    let rounds = 0;
    do {
      newest = table.newestPid();
      undecided.clear();
      for (const pid of candidates(leader, newest, table)) {
        if (others.has(pid) || alive.has(pid)) continue;
        const found = table.find(pid);
        // Skip dead processes: an orphaned zombie stays in the group.
        if (found === null || found.isDead) continue;
        const isKnown = found.group === group || known.get(pid) === startOf(found);
        const environment = isKnown || isOlder(found, leader) ? null : table.environment(pid);
        if (isKnown || (environment !== null && entries.every((entry) => holds(environment, entry)))) take(found);
        else (environment === "" ? undecided : others).set(pid, found);
      }
      rounds += 1;
      // Search again while new processes appear: a process that constantly restarts itself is easily missed.
    } while (alive.size === 0 && table.newestPid() !== newest && rounds < mostRounds);
    const isSettled = undecided.size === 0 && table.newestPid() === newest;
    takeDescendants(alive, new Map([...others, ...undecided]), (pid) => {
      const found = table.find(pid);
      if (found === null || !alive.has(found.parent)) return;
      others.delete(pid);
      take(found);
    });
    const targets = new Map([...alive.values()].map(targetOf).map((target) => [target.pid, target]));
    return { alive: [...targets.values()], unsettled: !isSettled };
  };
}

const isOlder = ({ pidStart }: Process, leader: Leader | undefined): boolean =>
  leader?.pidStart != null && Number(pidStart ?? Infinity) < Number(leader.pidStart);

/** Maximum rounds of a search: it must end even on a machine that constantly starts processes. */
const mostRounds = 5;

function takeDescendants(
  alive: ReadonlyMap<number, Process>,
  others: Map<number, Process>,
  take: (pid: number) => void,
): void {
  for (let before = 0; alive.size > before; ) {
    before = alive.size;
    for (const [pid, { parent }] of others) {
      if (!alive.has(parent)) continue;
      others.delete(pid);
      take(pid);
    }
  }
}

const startOf = ({ pidStart, second }: Process): string => pidStart ?? String(second);

/**
 * Ids of processes that may belong to the call, rising. Without a leader, this process and its ancestors are excluded.
 * With a leader, older processes are excluded, unless ids may have wrapped around.
 */
function candidates(leader: Leader | undefined, newest: number, table: ProcessTable): number[] {
  if (leader === undefined) {
    const line = ownLine(table);
    return table.pids().filter((pid) => !line.has(pid));
  }
  const { pid: first } = leader;
  if (newest < first || !isRecent(leader.startedAt, table)) return table.pids();
  if (newest - first > fewIds) return table.pids().filter((pid) => pid >= first);
  return Array.from({ length: newest - first + 1 }, (_, at) => first + at);
}

/** Maximum number of ids for which trying each is faster than listing all processes. */
const fewIds = 16;

/** Whether a time is so recent that process ids, which rise, cannot have wrapped around since. */
const isRecent = (time: number, table: ProcessTable): boolean =>
  performance.now() - time < table.highestPid() / fastestPidsPerMs;

/** More processes per millisecond than any machine starts. */
const fastestPidsPerMs = 100;

function ownLine(table: ProcessTable): Set<number> {
  const line = new Set<number>();
  for (let pid = table.self; pid > 0 && !line.has(pid); pid = table.find(pid)?.parent ?? 0) line.add(pid);
  return line;
}

/** Convert to one character per UTF-8 byte, as in `ProcessTable.environment`. */
const latin1 = (text: string): string => Buffer.from(text).toString("latin1");

const holds = (environment: string, entry: string): boolean =>
  environment.startsWith(entry) || environment.includes(`\0${entry}`);
