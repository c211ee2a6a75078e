import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openRecords } from "../../support/open-line.ts";
import type { Project } from "../coordinator/project.ts";
import type { CutStart } from "./start-until-cut.ts";

/**
 * I16: records that an event acknowledged, but that are missing after a power cut. An event is emitted only once its
 * records are durable.
 */
export function missingRecords({ dataFolder }: Project, { events, journals }: CutStart): string[] {
  const live = journals.at(-1);
  if (live === undefined || events.length === 0) return [];
  const path = join(dataFolder, `run-1/journal-${journals.length}.ndjson`);
  const kept = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
  const keys = new Set(events.filter(({ type }) => type === "task.delegated").map(({ key }) => key));
  const lines = live.toString().split("\n");
  const last = lines.findLastIndex((line, index) => index === 0 || isAcknowledged(line, keys, events));
  const acknowledged = Buffer.byteLength(lines.slice(0, last + 1).join("\n")) + 1;
  if (kept.subarray(0, acknowledged).equals(live.subarray(0, acknowledged))) return [];
  return [`of ${acknowledged} acknowledged bytes the journal has ${kept.length}: ${lines[last]?.slice(0, 120)}`];
}

function isAcknowledged(line: string, keys: ReadonlySet<string | undefined>, events: CutStart["events"]): boolean {
  return openRecords(line).some((record) => {
    if (record?.["type"] === "delegated") return keys.has(record["key"] as string);
    return record?.["type"] === "ended" && events.at(-1)?.type === "run.ended";
  });
}
