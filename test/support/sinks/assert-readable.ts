import { assertPrintable } from "./assert-printable.ts";

export const assertReadable = (markdown: string): void =>
  assertPrintable(markdown.replace(/[\r\t]|\u200c|\u200d/g, ""));
