import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { TimedRunRecord } from "../../src/model/record.ts";
import type { Project } from "./project.ts";

/** Keys of the attempts that the executor was started for, in order. */
export function delegations({ workspace }: Project): string[] {
  const path = join(workspace, "delegations.log");
  return existsSync(path) ? readFileSync(path, "utf8").trimEnd().split("\n") : [];
}

export const read = (path: string): string => readFileSync(path, "utf8");

export const journalPath = ({ data }: Project, segment = 1, run = 1): string =>
  join(data, `run-${run}`, `journal-${segment}.ndjson`);

/** The records of one segment. */
export const recordsIn = (path: string): TimedRunRecord[] =>
  read(path)
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => JSON.parse(line) as TimedRunRecord);

/** Every file below a folder with its bytes, every link with its target. */
export function contentOf(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    found[path] = entry.isFile()
      ? readFileSync(path, "base64")
      : entry.isSymbolicLink()
        ? `-> ${readlinkSync(path)}`
        : "folder";
  }
  return found;
}
