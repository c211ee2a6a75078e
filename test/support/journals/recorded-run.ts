import { join } from "node:path";
import type { Segment } from "../../../src/adapters/journal/journal-segment.ts";
import { readRun } from "../../../src/adapters/journal/read-journal.ts";
import type { RecordedStart } from "../../../src/runtime/recorded-run.ts";
import { journals } from "./alter-journal.ts";

/** A recorded run of this version, which may be changed. */
export function recordedRun(name: string) {
  const segments = readRun(join(journals, name));
  const starts: RecordedStart[] = segments.map(({ header: { at, policy }, records }) => ({ at, policy, records }));
  const [{ header }] = segments as [Segment];
  return structuredClone({ starts, open: header.open, seed: header.seed });
}
