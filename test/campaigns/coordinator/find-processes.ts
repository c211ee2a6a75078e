import { readdirSync, readFileSync } from "node:fs";

/** Ids of the living processes that have this variable in their environment. */
export function findProcesses(name: string, value: string): string[] {
  const entry = `${name}=${value}\0`;
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, "latin1").includes(entry);
    } catch {
      return false;
    }
  });
}
