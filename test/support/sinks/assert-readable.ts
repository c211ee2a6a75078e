import { assertPrintable } from "./assert-printable.ts";

/** A document contains nothing invisible, except what joins letters and emoji. */
export const assertReadable = (markdown: string): void =>
  assertPrintable(markdown.replace(/[\r\t]|\u200c|\u200d/g, ""));
