import { readdirSync, readlinkSync } from "node:fs";

export const openIn = (folder: string): number =>
  readdirSync("/proc/self/fd").filter((fd) => pathOf(fd).startsWith(folder)).length;

function pathOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return "";
  }
}
