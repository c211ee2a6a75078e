import { type JournalReading, readJournal } from "../../../adapters/journal/read-journal.ts";
import type { LeaseHolder } from "../../../adapters/lease/lease.ts";
import { isElsewhere, specHolder } from "../../../adapters/lease/spec-lease.ts";
import { FixpointError } from "../../../model/errors.ts";
import { openQuestions } from "../../../runtime/open-questions.ts";
import type { RecordedStart } from "../../../runtime/recorded-run.ts";
import type { SpecFolder } from "../find-spec.ts";

/** The starts that a journal has recorded, oldest first. */
export const startsIn = ({ segments }: JournalReading): RecordedStart[] =>
  segments.map(({ header, records }) => ({ at: header.at, policy: header.policy, records }));

/** Whether the latest run of a spec has asked a person something that nobody has answered. */
export const hasOpenQuestion = ({ dataFolder }: SpecFolder): boolean =>
  openQuestions(startsIn(readJournal(dataFolder))).length > 0;

/** The process of this machine that is at work on a spec; null without one. */
export function holderOf({ dataFolder }: Pick<SpecFolder, "dataFolder">): LeaseHolder | null {
  const holder = specHolder(dataFolder);
  return holder !== null && !isElsewhere(holder) ? holder : null;
}

/** The process on another machine that has not released a spec. Whether it is at work cannot be seen from here. */
export function holderElsewhere({ dataFolder }: Pick<SpecFolder, "dataFolder">): LeaseHolder | null {
  const holder = specHolder(dataFolder);
  return holder !== null && isElsewhere(holder) ? holder : null;
}

/** The same; null also where the lease cannot be read. */
export function coordinatorOf(dataFolder: string): LeaseHolder | null {
  try {
    return holderOf({ dataFolder });
  } catch (error) {
    if (!(error instanceof FixpointError)) throw error;
    return null;
  }
}
