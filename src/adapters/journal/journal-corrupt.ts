import { InputError } from "../../model/errors.ts";
import { beginNewRun } from "../../model/way-on.ts";

/** The error for a journal that cannot be believed. @param expected What was expected of the file at this path. */
export const journalCorrupt = (path: string, expected: string, cause?: unknown): InputError =>
  new InputError(`Cannot read the journal \`${path}\`, expected ${expected}`, {
    code: "journal-corrupt",
    ways: [beginNewRun],
    cause,
  });

/** @param number Of the record that should stand there. */
export const recordMissing = (path: string, number: number): InputError =>
  journalCorrupt(path, `record ${number} of the run where another stands`);
