import { readdirSync, readlinkSync } from "node:fs";
import { livingWith } from "../../support/processes.ts";

/** Ids of the living processes that work in a folder, or have it in their environment or command line. */
export function livingIn(folder: string): number[] {
  const working = readdirSync("/proc")
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && `${workingFolder(pid)}/`.startsWith(`${folder}/`));
  return [...new Set([...working, ...livingWith(folder)])];
}

/** Empty where there is none, as of a dead process that nobody has taken note of. */
function workingFolder(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return "";
  }
}
