import { InputError } from "../model/errors.ts";

/** The error for a journal that cannot be believed. @param expected What was expected of the file at this path. */
export const journalCorrupt = (path: string, expected: string, cause?: unknown): InputError =>
  new InputError(`Cannot read the journal \`${path}\`, expected ${expected}`, {
    code: "journal-corrupt",
    hint: "Move the spec's .fixpoint folder away to start over from the plan as it stands",
    cause,
  });

/** @param number Of the record that should stand there. */
export const recordMissing = (path: string, number: number): InputError =>
  journalCorrupt(path, `record ${number} of the run where another stands`);
