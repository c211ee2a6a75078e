import { assertPrintable } from "./assert-printable.ts";

/** Asserts that a document contains no invisible characters except tabs, line ends and joiners of letters and emoji. */
export const assertReadable = (markdown: string): void =>
  assertPrintable(markdown.replace(/[\r\t]|\u200c|\u200d/g, ""));
