import type { Process, ProcessTable } from "./process-table.ts";

/** This process and those that it comes from. */
export interface Ancestry {
  /** This process, its ancestors, and the living leaders of their groups and sessions with theirs; nearest first. */
  readonly line: readonly Process[];
  /** Leaders that have ended. No other process gets the id of one while its group or session lasts. */
  readonly ended: readonly number[];
}

/**
 * List what this process comes from. The kernel keeps parents, groups and sessions: no process changes those of another,
 * and a process that was re-parented keeps its session until it begins its own.
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
