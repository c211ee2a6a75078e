import type { Process, ProcessTable } from "../../src/adapters/processes/process-table.ts";

export interface Row extends Partial<Process> {
  readonly pid: number;
  /** Environments in successive scans. The last one is repeated. */
  readonly environments?: readonly (string | null)[];
}

const own = { environments: ["OWN=1\0"] };

/** Includes processes 1 and 3 (the caller). By default, a row is a child of process 1 and leads its own group. */
export function madeTable(rows: readonly Row[], over: Partial<ProcessTable> = {}): ProcessTable {
  const all: Row[] = [{ pid: 1, parent: 0, ...own }, { pid: 3, ...own }, ...rows];
  const left = new Map(all.map(({ pid, environments }) => [pid, [...(environments ?? ["B=1\0"])]]));
  return {
    self: 3,
    isSnapshot: false,
    pids: () => all.map(({ pid }) => pid),
    find: (pid) => {
      const row = all.findLast((one) => one.pid === pid);
      if (row === undefined) return null;
      const found = { parent: 1, group: pid, session: pid, terminal: false, second: null, isDead: false };
      return { ...found, pidStart: `at ${pid}`, ...row };
    },
    environment: (pid) => {
      const environments = left.get(pid) ?? [];
      return (environments.length > 1 ? environments.shift() : environments[0]) ?? null;
    },
    newestPid: () => 100,
    highestPid: () => Infinity,
    ...over,
  };
}
