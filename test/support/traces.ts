import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { TimedRunEvent } from "../../src/model/event.ts";
import type { TimedRunRecord } from "../../src/model/record.ts";
import type { Project } from "./project.ts";

export function delegations({ workspace }: Project): string[] {
  const path = join(workspace, "delegations.log");
  return existsSync(path) ? readFileSync(path, "utf8").trimEnd().split("\n") : [];
}

export const read = (path: string): string => readFileSync(path, "utf8");

export const journalPath = ({ data }: Project, segment = 1, run = 1): string =>
  join(data, `run-${run}`, `journal-${segment}.ndjson`);

export const recordsIn = (path: string): TimedRunRecord[] =>
  read(path)
    .trimEnd()
    .split("\n")
    .slice(1)
    .flatMap((line) => {
      const { n, at, records } = JSON.parse(line) as { n: number; at: number; records: readonly TimedRunRecord[] };
      return records.map((record, index) => ({ ...record, n: n + index, at }));
    });

export const recordsOf = (project: Project, segment = 1, run = 1): TimedRunRecord[] =>
  recordsIn(journalPath(project, segment, run));

type Written<Event> = Event extends { readonly type: "waiting" }
  ? Omit<Event, "until"> & { readonly until: string | null }
  : Event;

export const eventsIn = (out: string): Written<TimedRunEvent>[] =>
  out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Written<TimedRunEvent>);

export const boxes = ({ tasks }: Project): string[] => read(tasks).match(/^- \[.\] \S+/gm) ?? [];

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
