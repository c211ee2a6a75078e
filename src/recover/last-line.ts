/** What a terminal takes for colours and the like. */
const escapes = /\p{Cc}\[[\d;]{0,20}[A-Za-z]/gu;

/** A line without what only a terminal understands. */
export const withoutEscapes = (line: string): string => line.replace(escapes, "");

/** Characters at the end of a text that are looked at. */
const looked = 4096;

/** The last line of a text on which something stands; null without one. Of a very long line the end. */
export function lastLine(text: string): string | null {
  const lines = withoutEscapes(text.slice(-looked))
    .split(/[\r\n]/)
    .map((line) => line.trim());
  return lines.findLast((line) => line !== "") ?? null;
}
