import { readdirSync, readlinkSync } from "node:fs";

/** The number of open descriptors of this process in a folder, by its real path. */
export const openIn = (folder: string): number =>
  readdirSync("/proc/self/fd").filter((fd) => pathOf(fd).startsWith(folder)).length;

function pathOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return "";
  }
}
