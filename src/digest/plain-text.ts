import { escapeSequence } from "../model/escape-sequence.ts";

/** The first line of a text that says something, without escape sequences. */
export function firstLine(text: string): string {
  const start = text.slice(0, 4000).replace(escapeSequence, "");
  return (
    start
      .split("\n")
      .find((line) => line.trim() !== "")
      ?.trim() ?? ""
  );
}

/** A message without the numbers that stand alone in it: they count what changes from run to run. */
export const withoutCounts = (message: string): string => message.replace(/(?<![\w.'"`-])\d+(?![\w'"`-])/g, "<n>");
