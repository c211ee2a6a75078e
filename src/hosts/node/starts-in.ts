import type { JournalReading } from "../../adapters/journal.ts";
import type { RecordedStart } from "../../runtime/recorded-run.ts";

/** The starts that a journal has recorded, oldest first. */
export const startsIn = ({ segments }: JournalReading): RecordedStart[] =>
  segments.map(({ header, records }) => ({ at: header.at, policy: header.policy, records }));
