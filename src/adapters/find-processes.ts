import { readdirSync, readFileSync, readlinkSync } from "node:fs";

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

export interface FoundProcesses {
  /** What `process.kill` takes: ids of processes, or the negative id of the group where processes cannot be listed. */
  readonly alive: readonly number[];
  /**
   * One may have been missed: a process was started during the search, or is about to become another program, when it
   * has no environment for a moment.
   */
  readonly unsettled: boolean;
}

/**
 * Find the living processes of a call: those in the group of its leader, and those that carry its mark.
 *
 * Never finds this process or one it descends from. Without `/proc` only the group is seen.
 */
export function findProcesses({ mark, leader }: Sought): FoundProcesses {
  const grouped = leader !== undefined && groupExists(leader.pid);
  if (!listsProcesses()) return { alive: grouped ? [-leader.pid] : [], unsettled: false };
  const entries = Object.entries(mark).map(([name, value]) => latin1(`${name}=${value}\0`));
  const alive: number[] = [];
  let unsettled = false;
  const newest = newestPid();
  for (const pid of candidates(leader, newest)) {
    if (grouped && isMember(pid, leader.pid)) {
      alive.push(pid);
      continue;
    }
    const environment = readProc(`${pid}/environ`);
    if (environment === "") unsettled ||= hasMemory(pid);
    else if (environment !== null && entries.every((entry) => holds(environment, entry))) alive.push(pid);
  }
  return { alive, unsettled: unsettled || newestPid() !== newest };
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

/** An orphan that nobody waits for stays a zombie: in the group, but dead. */
function isMember(pid: number, group: number): boolean {
  const stat = readStat(pid);
  return stat !== null && stat.group === group && stat.state !== "Z" && stat.state !== "X";
}

/** Kernel threads and zombies have none, nor an environment; a process that is becoming another program does. */
const hasMemory = (pid: number): boolean => (readStat(pid)?.memory ?? 0) > 0;

interface Stat {
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly memory: number;
}

/** `pid (name) state parent group …`, where the name may hold anything. */
function readStat(pid: number): Stat | null {
  const text = readProc(`${pid}/stat`);
  if (text === null) return null;
  const words = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return { state: words[0] ?? "", parent: Number(words[1]), group: Number(words[2]), memory: Number(words[20]) };
}

/** Null for a process that is gone or not ours to read. */
function readProc(path: string): string | null {
  try {
    return readFileSync(`/proc/${path}`, "latin1");
  } catch {
    return null;
  }
}

/** Bytes as the characters of the same number, as `readProc` gives them. */
const latin1 = (text: string): string => Buffer.from(text).toString("latin1");

const holds = (environment: string, entry: string): boolean =>
  environment.startsWith(entry) || environment.includes(`\0${entry}`);
