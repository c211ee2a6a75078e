import { type ProcessTable, type Stat, systemTable } from "./process-table.ts";

/** What the processes of a call have in common, wherever they have moved. */
export interface Sought {
  /** Variables that all stand in the environment of each of them, with these values. */
  readonly mark: Readonly<Record<string, string>>;
  /** The process that leads their group and was started before all others of them. */
  readonly leader?: Leader;
}

interface Leader {
  readonly pid: number;
  /** When it was started, as `performance.now()` tells it. */
  readonly startedAt: number;
}

/** A living process of a call. */
export interface FoundProcess {
  /** What `process.kill` takes: its id, or the negative id of the group where processes cannot be listed. */
  readonly pid: number;
  /** In ticks since the machine was started: tells it from a later process of the same id. */
  readonly startedAt: string;
}

export interface FoundProcesses {
  readonly alive: readonly FoundProcess[];
  /**
   * One may have been missed: a process was started during the search, or is about to become another program, when it
   * has no environment for a moment.
   */
  readonly unsettled: boolean;
}

/** When processes of a call that were found before were started, by their ids. */
type KnownProcesses = ReadonlyMap<number, string>;

const noneKnown: KnownProcesses = new Map();

/**
 * Find the living processes of a call: those in the group of its leader, those that carry its mark, those that were
 * known, and all that descend from these.
 *
 * Never finds this process or one it descends from. Without `/proc` only the group is seen.
 *
 * @param meet Is told of each at once, when it is still there, not after the search.
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
      // Zombies and kernel threads: an orphan that nobody waits for stays in the group, but is dead.
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
    // Again for those that were started meanwhile: one that starts itself anew all the time is missed in many a round.
  } while (alive.size === 0 && table.newestPid() !== newest && rounds < mostRounds);
  addDescendants(alive, others, meet);
  const found = [...alive].map(([pid, { startedAt }]) => ({ pid, startedAt }));
  return { alive: found, unsettled: unsettled || table.newestPid() !== newest };
}

/** On a machine where others start processes all the time, the search has to end nevertheless. */
const mostRounds = 5;

/** Move those of the others that descend from a living one. */
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

/** Whether no process at all was started on this machine since the leader; false where that cannot be told. */
export function isLast(leader: Leader, table = systemTable): boolean {
  return table.isListed() && startedLately(leader, table) && table.newestPid() === leader.pid;
}

/** Processes that may belong to a call: all but our own line, or only those that are younger than its leader. */
function candidates(leader: Leader | undefined, newest: number, table: ProcessTable): number[] {
  const pids = table.pids();
  if (leader === undefined) {
    const line = ownLine(table);
    return pids.filter((pid) => !line.has(pid));
  }
  return startedLately(leader, table) && newest >= leader.pid ? pids.filter((pid) => pid >= leader.pid) : pids;
}

/** Ids are handed out in rising order and begin anew at the top: for so long none can have come round. */
const startedLately = ({ startedAt }: Leader, table: ProcessTable): boolean =>
  performance.now() - startedAt < table.highestPid() / fastestPidsPerMs;

/** More processes per millisecond than any machine starts. */
const fastestPidsPerMs = 100;

/** This process and those it descends from. */
function ownLine(table: ProcessTable): Set<number> {
  const line = new Set<number>();
  for (let pid = table.self; pid > 0; pid = table.stat(pid)?.parent ?? 0) line.add(pid);
  return line;
}

/** Bytes as the characters of the same number, as a table gives them. */
const latin1 = (text: string): string => Buffer.from(text).toString("latin1");

const holds = (environment: string, entry: string): boolean =>
  environment.startsWith(entry) || environment.includes(`\0${entry}`);
