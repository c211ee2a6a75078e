import { closeSync, openSync, readdirSync, readlinkSync, readSync } from "node:fs";

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
): FoundProcesses {
  const grouped = leader !== undefined && groupExists(leader.pid);
  if (!listsProcesses()) {
    const group = grouped ? [{ pid: -leader.pid, startedAt: "" }] : [];
    for (const process of group) meet(process);
    return { alive: group, unsettled: false };
  }
  const entries = Object.entries(mark).map(([name, value]) => latin1(`${name}=${value}\0`));
  const alive = new Map<number, Stat>();
  const others = new Map<number, Stat>();
  const seen = new Set<number>();
  let unsettled = false;
  let newest: number;
  let rounds = 0;
  do {
    newest = newestPid();
    unsettled = false;
    for (const pid of candidates(leader, newest)) {
      if (seen.has(pid)) continue;
      const stat = readStat(pid);
      // Zombies and kernel threads: an orphan that nobody waits for stays in the group, but is dead.
      if (stat === null || (stat.memory === 0 && stat.threads === 1)) continue;
      const isKnown = (grouped && stat.group === leader.pid) || known.get(pid) === stat.startedAt;
      const environment = isKnown ? null : readProc(`${pid}/environ`);
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
  } while (alive.size === 0 && newestPid() !== newest && rounds < mostRounds);
  addDescendants(alive, others, meet);
  const found = [...alive].map(([pid, { startedAt }]) => ({ pid, startedAt }));
  return { alive: found, unsettled: unsettled || newestPid() !== newest };
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
export function isLast(leader: Leader): boolean {
  return listsProcesses() && startedLately(leader) && newestPid() === leader.pid;
}

/** Processes that may belong to a call: all but our own line, or only those that are younger than its leader. */
function candidates(leader: Leader | undefined, newest: number): number[] {
  if (leader === undefined) {
    const line = ownLine();
    return listPids().filter((pid) => !line.has(pid));
  }
  const younger = startedLately(leader) && newest >= leader.pid;
  return younger ? listPids().filter((pid) => pid >= leader.pid) : listPids();
}

/** Ids are handed out in rising order and begin anew at the top: for so long none can have come round. */
function startedLately({ startedAt }: Leader): boolean {
  maxPid ??= Number(readProc("sys/kernel/pid_max"));
  return performance.now() - startedAt < maxPid / fastestPidsPerMs;
}

let maxPid: number | undefined;

/** More processes per millisecond than any machine starts. */
const fastestPidsPerMs = 100;

/** In rising order, so that a shell is told before its command and does not go on with the next. */
const listPids = (): number[] => readdirSync("/proc").map(Number).filter(Number.isInteger);

/** The id that was handed out last: the fifth word of `0.00 0.04 0.04 2/86 5263`. */
const newestPid = (): number => Number(readProc("loadavg")?.trim().split(" ").at(-1));

/** This process and those it descends from. */
function ownLine(): Set<number> {
  const line = new Set<number>();
  for (let pid = process.pid; pid > 0; pid = readStat(pid)?.parent ?? 0) line.add(pid);
  return line;
}

let listing: boolean | undefined;

/** In a process namespace without its own `/proc` the ids there are those of other processes. */
function listsProcesses(): boolean {
  listing ??= ownIdInProc() === String(process.pid);
  return listing;
}

function ownIdInProc(): string | null {
  try {
    return readlinkSync("/proc/self");
  } catch {
    return null;
  }
}

/** True also while only zombies are left in the group. */
function groupExists(leader: number): boolean {
  try {
    process.kill(-leader, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

interface Stat {
  readonly parent: number;
  readonly group: number;
  readonly startedAt: string;
  /** More than 1 also for one that looks dead since its first thread has ended. */
  readonly threads: number;
  /** 0 for kernel threads and the dead, never for a process that is becoming another program. */
  readonly memory: number;
}

/** `pid (name) state parent group …`, where the name may hold anything. */
function readStat(pid: number): Stat | null {
  const text = readProc(`${pid}/stat`);
  if (text === null) return null;
  const words = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const number = (at: number): number => Number(words[at]);
  return { parent: number(1), group: number(2), threads: number(17), startedAt: words[19] ?? "", memory: number(20) };
}

/** Null for a process that is gone or not ours to read. */
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

/** One for all: `readFileSync` takes as much anew for each of these files, since they have no size. */
const chunk = Buffer.allocUnsafe(64 * 1024);

/** Bytes as the characters of the same number, as `readProc` gives them. */
const latin1 = (text: string): string => Buffer.from(text).toString("latin1");

const holds = (environment: string, entry: string): boolean =>
  environment.startsWith(entry) || environment.includes(`\0${entry}`);
