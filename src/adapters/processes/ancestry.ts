import type { Process, ProcessTable } from "./process-table.ts";

/** This process and its origin. */
export interface Ancestry {
  /**
   * This process, its ancestors, and the living leaders of their groups and sessions with their ancestors; nearest
   * first.
   */
  readonly line: readonly Process[];
  /** Ended leaders. Their ids are not reused while their group or session lasts. */
  readonly ended: readonly number[];
}

/**
 * Find the origin of this process. The kernel keeps parents, groups and sessions: no process can change those of
 * another, and a re-parented process keeps its session until it begins its own.
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
