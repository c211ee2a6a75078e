import { assertPrintable } from "./assert-printable.ts";

/** A document holds nothing that its reader does not see, but for what joins letters and emoji. */
export const assertReadable = (markdown: string): void =>
  assertPrintable(markdown.replace(/[\r\t]|\u200c|\u200d/g, ""));
