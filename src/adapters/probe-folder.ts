import { linkSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { refused } from "./refused.ts";

/**
 * Try in a folder what the run data in it needs. Nothing is left behind.
 *
 * @returns Whether a file can have two names there.
 * @throws {EnvironmentError} `file-refused` when nothing can be written
 */
export function probeFolder(path: string): boolean {
  const folder = refused("write into", path, () => mkdtempSync(join(path, ".fixpoint-probe-")));
  try {
    const file = join(folder, "file");
    refused("write", file, () => writeFileSync(file, "probe\n", { flush: true }));
    return canLink(file, join(folder, "link"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function canLink(file: string, name: string): boolean {
  try {
    linkSync(file, name);
    return true;
  } catch {
    return false;
  }
}
