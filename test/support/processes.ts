import { readdirSync, readFileSync } from "node:fs";

/** Ids of the living processes whose environment or command line holds a text, this one excepted. */
export function livingWith(text: string): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid)
    .filter((pid) => read(pid, "environ").includes(text) || read(pid, "cmdline").includes(text));
}

/** Whether a process was stopped, and does nothing until it is told to go on. */
export const isStopped = (pid: number): boolean => /\) T [^)]*$/.test(read(pid, "stat"));

function read(pid: number, file: "environ" | "cmdline" | "stat"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}
