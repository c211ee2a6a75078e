export type LineEnding = "\n" | "\r\n" | "\r";

// `\s`, `trim()` and `^` with the flag m also match U+2028, U+0085 and other characters that do not end a line in
// CommonMark.
const ending = /\r\n|\n|\r/;
const anyEnding = /[\r\n]/g;

export const splitLines = (text: string): string[] => text.split(ending);

export const linesWithEnds = (text: string): string[] => text.split(/(?<=\n|\r(?!\n))/);

export function countEndings(text: string): Record<LineEnding, number> {
  const feeds = countOf(text, "\n");
  if (!text.includes("\r")) return { "\n": feeds, "\r\n": 0, "\r": 0 };
  const both = countOf(text, "\r\n");
  return { "\n": feeds - both, "\r\n": both, "\r": countOf(text, "\r") - both };
}

function countOf(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count += 1;
  return count;
}

/** The most frequent line ending, `\n` when there is none. */
export function dominantEnding(counts: Record<LineEnding, number>): LineEnding {
  if (counts["\r\n"] > counts["\n"] && counts["\r\n"] >= counts["\r"]) return "\r\n";
  return counts["\r"] > counts["\n"] ? "\r" : "\n";
}

export const skipEnding = (text: string, end: number): number => (text.startsWith("\r\n", end) ? end + 2 : end + 1);

export function lineStarts(text: string): number[] {
  const starts = [0];
  for (let end = lineEnd(text, 0); end < text.length; end = lineEnd(text, starts.at(-1) as number)) {
    starts.push(skipEnding(text, end));
  }
  return starts;
}

export function lineAt(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

export const isEnding = (character: string | undefined): boolean => character === "\n" || character === "\r";
export const isBlank = (character: string | undefined): boolean =>
  character === " " || character === "\t" || isEnding(character);

export function lineStart(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && !isEnding(text[start - 1])) start -= 1;
  return start;
}

/** Offset of the first line ending at or after `offset`, or of the end of the text. */
export function lineEnd(text: string, offset: number): number {
  anyEnding.lastIndex = offset;
  return anyEnding.test(text) ? anyEnding.lastIndex - 1 : text.length;
}

export function contentEnd(text: string, start: number, end: number): number {
  let last = end;
  while (last > start && isBlank(text[last - 1])) last -= 1;
  return last;
}

export function trimBlank(text: string): string {
  let start = 0;
  while (start < text.length && isBlank(text[start])) start += 1;
  return text.slice(start, contentEnd(text, start, text.length));
}

/** Width in columns of blanks and tabs. @param column Column at which the blanks begin. */
export function widthOf(blanks: string, column = 0): number {
  let width = 0;
  for (const blank of blanks) width += blank === "\t" ? 4 - ((column + width) % 4) : 1;
  return width;
}

/** Remove at most `width` blanks from the start of a line. Tabs stay. */
export const outdent = (line: string, width: number): string => line.slice(Math.min(line.search(/[^ ]|$/), width));

/** Number of UTF-8 bytes; a lone surrogate is encoded as the three bytes of U+FFFD. */
export const utf8Length = (text: string): number => new TextEncoder().encode(text).length;
