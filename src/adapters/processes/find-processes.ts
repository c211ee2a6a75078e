import { type ProcessTable, type Stat, systemTable } from "./process-table.ts";

/** What identifies the processes of a call, wherever they have moved. */
export interface Sought {
  /** Variables that each of them has in its environment, with these values. */
  readonly mark: Readonly<Record<string, string>>;
  /** The process that leads their group and was started before all others of them. */
  readonly leader?: Leader;
}

interface Leader {
  readonly pid: number;
  /** When it was started, in terms of `performance.now()`. */
  readonly startedAt: number;
}

/** A living process of a call. */
export interface FoundProcess {
  /** What `process.kill` takes: its id, or the negative id of the group where processes cannot be listed. */
  readonly pid: number;
  /** In ticks since the machine was started. Distinguishes it from a later process with the same id. */
  readonly startedAt: string;
}

export interface FoundProcesses {
  readonly alive: readonly FoundProcess[];
  /**
   * Whether one may have been missed: a process was started during the search, or is becoming another program and has
   * no environment for a moment.
   */
  readonly unsettled: boolean;
}

/** Start times of the processes of a call that were found before, by their ids. */
type KnownProcesses = ReadonlyMap<number, string>;

const noneKnown: KnownProcesses = new Map();

/**
 * Find the living processes of a call: those in the group of its leader, those with its mark, those that were known,
 * and all their descendants.
 *
 * Never finds this process or its ancestors. Without `/proc` only the group is found.
 *
 * @param meet Called for each process as soon as it is found, not after the search.
 */
export function findProcesses(
  { mark, leader }: Sought,
  known = noneKnown,
  meet: (process: FoundProcess) => void = () => {},
  table = systemTable,
): FoundProcesses {
  const grouped = leader !== undefined && table.hasGroup(leader.pid);
  if (!table.isListed()) {
    const group = grouped ? [{ pid: -leader.pid, startedAt: "" }] : [];
    for (const process of group) meet(process);
    return { alive: group, unsettled: false };
  }
  const entries = Object.entries(mark).map(([name, value]) => latin1(`${name}=${value}\0`));
  const alive = new Map<number, Stat>();
  const others = new Map<number, Stat>();
  const seen = new Set<number>();
  let unsettled: boolean;
  let newest: number;
  let rounds = 0;
  do {
    newest = table.newestPid();
    unsettled = false;
    for (const pid of candidates(leader, newest, table)) {
      if (seen.has(pid)) continue;
      const stat = table.stat(pid);
      // Zombies and kernel threads do not count: an orphan that nobody waits for stays in the group, but is dead.
      if (stat === null || (stat.memory === 0 && stat.threads === 1)) continue;
      const isKnown = (grouped && stat.group === leader.pid) || known.get(pid) === stat.startedAt;
      const environment = isKnown ? null : table.environment(pid);
      if (environment === "") {
        unsettled = true;
        others.set(pid, stat);
        continue;
      }
      seen.add(pid);
      const marked = environment !== null && entries.every((entry) => holds(environment, entry));
      (isKnown || marked ? alive : others).set(pid, stat);
      if (isKnown || marked) meet({ pid, startedAt: stat.startedAt });
    }
    rounds += 1;
    // Search again for processes that were started meanwhile: one that restarts itself all the time is missed in many
    // rounds.
  } while (alive.size === 0 && table.newestPid() !== newest && rounds < mostRounds);
  addDescendants(alive, others, meet);
  const found = [...alive].map(([pid, { startedAt }]) => ({ pid, startedAt }));
  return { alive: found, unsettled: unsettled || table.newestPid() !== newest };
}

/** The search has to end even on a machine where others start processes all the time. */
const mostRounds = 5;

/** Move those of the others that descend from a living one to the living. */
function addDescendants(
  alive: Map<number, Stat>,
  others: Map<number, Stat>,
  meet: (process: FoundProcess) => void,
): void {
  let before = 0;
  while (alive.size > before) {
    before = alive.size;
    for (const [pid, stat] of others) {
      if (!alive.has(stat.parent)) continue;
      others.delete(pid);
      if (alive.has(pid)) continue;
      alive.set(pid, stat);
      meet({ pid, startedAt: stat.startedAt });
    }
  }
}

/** Whether no process at all was started on this machine since the leader; false when that is unknown. */
export function isLast(leader: Leader, table = systemTable): boolean {
  return table.isListed() && startedLately(leader, table) && table.newestPid() === leader.pid;
}

/**
 * Processes that may belong to a call: all except this process and its ancestors, or only those younger than its
 * leader.
 */
function candidates(leader: Leader | undefined, newest: number, table: ProcessTable): number[] {
  const pids = table.pids();
  if (leader === undefined) {
    const line = ownLine(table);
    return pids.filter((pid) => !line.has(pid));
  }
  return startedLately(leader, table) && newest >= leader.pid ? pids.filter((pid) => pid >= leader.pid) : pids;
}

/** Process ids rise and start over at the top. Within this time they cannot have come round. */
const startedLately = ({ startedAt }: Leader, table: ProcessTable): boolean =>
  performance.now() - startedAt < table.highestPid() / fastestPidsPerMs;

/** More processes per millisecond than any machine starts. */
const fastestPidsPerMs = 100;

/** This process and its ancestors. */
function ownLine(table: ProcessTable): Set<number> {
  const line = new Set<number>();
  for (let pid = table.self; pid > 0; pid = table.stat(pid)?.parent ?? 0) line.add(pid);
  return line;
}

/** Bytes as the characters of the same number, as a table gives them. */
const latin1 = (text: string): string => Buffer.from(text).toString("latin1");

const holds = (environment: string, entry: string): boolean =>
  environment.startsWith(entry) || environment.includes(`\0${entry}`);
