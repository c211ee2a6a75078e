import { hostname } from "node:os";
import type { JournalReading } from "../../adapters/journal.ts";
import type { SegmentHeader } from "../../adapters/journal-segment.ts";
import { isAlive } from "../../adapters/process-identity.ts";
import { unendedStart } from "../../start/run-before.ts";

/** The coordinator of this machine that is at work on a spec; null when none is. */
export function holderOf(reading: JournalReading): SegmentHeader | null {
  const header = unendedStart(reading);
  return header !== null && header.host === hostname() && isAlive(header) ? header : null;
}

/** The coordinator of another machine that has not told its end: whether it is at work cannot be seen from here. */
export function holderElsewhere(reading: JournalReading): SegmentHeader | null {
  const header = unendedStart(reading);
  return header !== null && header.host !== hostname() ? header : null;
}
