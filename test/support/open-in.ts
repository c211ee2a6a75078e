import { readdirSync, readlinkSync } from "node:fs";

/**
 * Number of this process's open descriptors in a folder.
 *
 * @param folder Real path.
 */
export const openIn = (folder: string): number =>
  readdirSync("/proc/self/fd").filter((fd) => pathOf(fd).startsWith(folder)).length;

function pathOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return "";
  }
}
