import { readFileSync } from "node:fs";
import { join } from "node:path";
import { refused } from "../files/refused.ts";
import { writeAtomic } from "../files/write-atomic.ts";

const pathIn = (folder: string): string => join(folder, "executors.json");

/**
 * What this user has typed before about who does the tasks of a spec, as it was written; undefined when nothing, or
 * when the file cannot be read.
 *
 * @param folder The user's folder for the spec.
 */
export function readRemembered(folder: string): unknown {
  try {
    return JSON.parse(readFileSync(pathIn(folder), "utf8"));
  } catch {
    return undefined;
  }
}

/** @throws {EnvironmentError} `file-refused` */
export function writeRemembered(folder: string, said: object): void {
  const path = pathIn(folder);
  const text = `${JSON.stringify(said, undefined, 2)}\n`;
  refused("write", path, () =>
    writeAtomic(path, text, { temporary: `${path}.${process.pid}.tmp`, durable: true, mode: 0o600 }),
  );
}
