import { type JournalReading, readJournal } from "../../../adapters/journal/read-journal.ts";
import type { LeaseHolder } from "../../../adapters/lease/lease.ts";
import { isElsewhere, specHolder } from "../../../adapters/lease/spec-lease.ts";
import { FixpointError } from "../../../model/errors.ts";
import { replayRecords } from "../../../run/previous-start.ts";
import { openQuestions } from "../../../runtime/open-questions.ts";
import type { RecordedStart } from "../../../runtime/recorded-run.ts";
import type { SpecFolder } from "../find-spec.ts";

/**
 * List the starts in a journal, oldest first. The steps of a run whose tasks are handed out count as one start, since
 * the run does not end between two steps.
 */
export function startsIn({ segments }: JournalReading): RecordedStart[] {
  const starts: RecordedStart[] = [];
  for (const { header, records } of segments) {
    const before = starts.at(-1);
    const { at, policy } = header;
    if (before !== undefined && isHeld(before) && JSON.stringify(before.policy) === JSON.stringify(policy)) {
      starts[starts.length - 1] = { ...before, records: [...before.records.slice(0, -1), ...records] };
    } else {
      starts.push({ at, policy, records });
    }
  }
  return starts;
}

/** Whether a start ended because it waits for a report. */
function isHeld({ records }: Pick<RecordedStart, "records">): boolean {
  const last = records.at(-1);
  return last?.type === "ended" && last.ending.outcome === "waiting";
}

/** Whether work on a run continues: in a process of this machine, or by an outside worker who will report. */
export const isAlive = (spec: Pick<SpecFolder, "dataFolder">, starts: readonly RecordedStart[]): boolean =>
  holderOf(spec) !== null || starts.slice(-1).some(isHeld);

export const hasOpenQuestion = ({ dataFolder }: SpecFolder): boolean =>
  openQuestions(startsIn(readJournal(dataFolder))).length > 0;

/**
 * Whether the tasks of the latest run are handed out. False for an unreadable journal, since other readers report it.
 */
export function isHandedOut({ dataFolder }: Pick<SpecFolder, "dataFolder">): boolean {
  try {
    return replayRecords(readJournal(dataFolder, { whole: false }))?.outside === true;
  } catch (error) {
    if (!(error instanceof FixpointError)) throw error;
    return false;
  }
}

/** Process of this machine that executes the run of a spec; null if there is none. */
export function holderOf({ dataFolder }: Pick<SpecFolder, "dataFolder">): LeaseHolder | null {
  const holder = specHolder(dataFolder);
  return holder !== null && !isElsewhere(holder) ? holder : null;
}

/** Process on another machine that has not released a spec; whether it is alive is unknown. */
export function holderElsewhere({ dataFolder }: Pick<SpecFolder, "dataFolder">): LeaseHolder | null {
  const holder = specHolder(dataFolder);
  return holder !== null && isElsewhere(holder) ? holder : null;
}

/** Like `holderOf`, but null if the lease cannot be read. */
export function coordinatorOf(dataFolder: string): LeaseHolder | null {
  try {
    return holderOf({ dataFolder });
  } catch (error) {
    if (!(error instanceof FixpointError)) throw error;
    return null;
  }
}
