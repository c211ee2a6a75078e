import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Ids of the living processes whose environment or command line holds a text, this one excepted. */
export function livingWith(text: string): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid)
    .filter((pid) => read(pid, "environ").includes(text) || read(pid, "cmdline").includes(text));
}

/** Ids of the living processes of a run's executors and Verify commands. */
export const alive = ({ spec }: { readonly spec: string }): number[] => livingWith(`FIXPOINT_SPEC=${spec}\0`);

/** Ids of the living processes that work in a folder, or have it in their environment or command line, this one excepted. */
export function livingIn(folder: string): number[] {
  const working = readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid && `${workingFolder(pid)}/`.startsWith(`${folder}/`));
  return [...new Set([...working, ...livingWith(folder)])];
}

/** Whether a process was stopped, and does nothing until it is told to go on. */
export const isStopped = (pid: number): boolean => /\) T [^)]*$/.test(read(pid, "stat"));

/** States of the processes in a group, in the letters of the system. */
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

/** Empty where there is none, as of a dead process that nobody has taken note of. */
function workingFolder(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return "";
  }
}
