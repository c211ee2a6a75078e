import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Ids of living processes with a text in their environment or command line, except this process. */
export function livingWith(text: string): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid)
    .filter((pid) => read(pid, "environ").includes(text) || read(pid, "cmdline").includes(text));
}

export const alive = ({ spec }: { readonly spec: string }): number[] => livingWith(`FIXPOINT_SPEC=${spec}\0`);

/**
 * Ids of living processes that work in a folder, or have it in their environment or command line, except this process.
 */
export function livingIn(folder: string): number[] {
  const working = readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid && `${workingFolder(pid)}/`.startsWith(`${folder}/`));
  return [...new Set([...working, ...livingWith(folder)])];
}

/** Whether a process is suspended. */
export const isStopped = (pid: number): boolean => /\) T [^)]*$/.test(read(pid, "stat"));

export const statesIn = (group: number): string[] =>
  readdirSync("/proc").flatMap((name) => {
    const [, state = "", of] = /\) (\w) \d+ (\d+) [^)]*$/.exec(read(Number(name), "stat")) ?? [];
    return Number(of) === group ? [state] : [];
  });

function read(pid: number, file: "environ" | "cmdline" | "stat"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}

/** Working folder of a process; empty for a dead process that is not reaped. */
function workingFolder(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return "";
  }
}
