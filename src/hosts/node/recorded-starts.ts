import { type JournalReading, readJournal } from "../../adapters/journal.ts";
import { openQuestions } from "../../runtime/open-questions.ts";
import type { RecordedStart } from "../../runtime/recorded-run.ts";
import type { SpecFolder } from "./find-spec.ts";

/** The starts that a journal has recorded, oldest first. */
export const startsIn = ({ segments }: JournalReading): RecordedStart[] =>
  segments.map(({ header, records }) => ({ at: header.at, policy: header.policy, records }));

/** Whether the latest run of a spec has asked a person something that nobody has answered. */
export const hasOpenQuestion = ({ dataFolder }: SpecFolder): boolean =>
  openQuestions(startsIn(readJournal(dataFolder))).length > 0;
