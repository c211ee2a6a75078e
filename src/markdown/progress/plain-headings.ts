import { type FoundHeading, readHeading } from "../tasks/read-blocks.ts";
import { lineEnd } from "../text/line-ending.ts";

const flowStart = /(?:^|[\r\n]) {0,3}(?:`{3}|~{3}|<)/;
const indentedHeading = /(?:^|[\r\n]) {1,3}#/;
const underline = /[^ \t\r\n][ \t]*(?:\r\n|\n|\r) {0,3}(?:=+|-+)[ \t]*(?:[\r\n]|$)/;
const heading = /(?:^|[\r\n])(#{1,6})(?=[ \t\r\n]|$)/g;

/**
 * Whether the lines of a text that start with `#` in column 0 are its headings, all of them: no fence and no HTML
 * at its root, no underlined or indented heading.
 */
export const hasPlainHeadings = (text: string): boolean =>
  !flowStart.test(text) && !indentedHeading.test(text) && !underline.test(text);

/** The headings of such a text; their lines are not counted. */
export const plainHeadings = (text: string): FoundHeading[] =>
  Array.from(text.matchAll(heading), (found) => {
    const marks = found[1] as string;
    const start = found.index + found[0].length - marks.length;
    return readHeading(text, { start, end: lineEnd(text, start), level: marks.length }, 0);
  });
