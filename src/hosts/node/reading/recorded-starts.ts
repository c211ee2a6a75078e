import { hostname } from "node:os";
import type { SegmentHeader } from "../../../adapters/journal/journal-segment.ts";
import { type JournalReading, readJournal } from "../../../adapters/journal/read-journal.ts";
import { isAlive } from "../../../adapters/processes/process-identity.ts";
import type { TimedRunRecord } from "../../../model/record.ts";
import { openQuestions } from "../../../runtime/open-questions.ts";
import type { RecordedStart } from "../../../runtime/recorded-run.ts";
import { unendedStart } from "../../../start/run-before.ts";
import type { SpecFolder } from "../find-spec.ts";

/** The starts that a journal has recorded, oldest first. */
export const startsIn = ({ segments }: JournalReading): RecordedStart[] =>
  segments.map(({ header, records }) => ({ at: header.at, policy: header.policy, records }));

/** Whether the latest run of a spec has asked a person something that nobody has answered. */
export const hasOpenQuestion = ({ dataFolder }: SpecFolder): boolean =>
  openQuestions(startsIn(readJournal(dataFolder))).length > 0;

interface Starts {
  readonly segments: readonly { readonly header: SegmentHeader; readonly records: readonly TimedRunRecord[] }[];
}

/** The coordinator of this machine that is at work on a spec; null when none is. */
export function holderOf(reading: Starts): SegmentHeader | null {
  const header = unendedStart(reading);
  return header !== null && header.host === hostname() && isAlive(header) ? header : null;
}

/** Whether a coordinator of this machine is at work on a spec. */
export const isHeldHere = ({ dataFolder }: SpecFolder): boolean => holderOf(readJournal(dataFolder)) !== null;

/** The coordinator on another machine that has recorded no end. Whether it is at work cannot be seen from here. */
export function holderElsewhere(reading: Starts): SegmentHeader | null {
  const header = unendedStart(reading);
  return header !== null && header.host !== hostname() ? header : null;
}
