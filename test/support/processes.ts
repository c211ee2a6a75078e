import { readdirSync, readFileSync, readlinkSync } from "node:fs";

export function livingWith(text: string): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid)
    .filter((pid) => read(pid, "environ").includes(text) || read(pid, "cmdline").includes(text));
}

export const alive = ({ spec }: { readonly spec: string }): number[] => livingWith(`FIXPOINT_SPEC=${spec}\0`);

export function livingIn(folder: string): number[] {
  const working = readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid && `${workingFolder(pid)}/`.startsWith(`${folder}/`));
  return [...new Set([...working, ...livingWith(folder)])];
}

/** State `T` is a suspended process. */
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

function workingFolder(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return "";
  }
}
