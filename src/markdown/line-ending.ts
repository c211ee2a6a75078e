/** How a document ends its lines. */
export type LineEnding = "\n" | "\r\n" | "\r";

// `\s`, `trim()` and `^` with the flag m also know U+2028, U+0085 and others, which end no line in CommonMark.
const ending = /\r\n|\n|\r/;
const endings = /\r\n|\n|\r/g;

export const splitLines = (text: string): string[] => text.split(ending);

/** How often each line ending occurs. */
export function countEndings(text: string): Record<LineEnding, number> {
  const counts = { "\n": 0, "\r\n": 0, "\r": 0 };
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 10) counts["\n"] += 1;
    if (code !== 13) continue;
    if (text.charCodeAt(at + 1) === 10) {
      counts["\r\n"] += 1;
      at += 1;
    } else {
      counts["\r"] += 1;
    }
  }
  return counts;
}

/** The most frequent line ending, `\n` when there is none. */
export function dominantEnding(counts: Record<LineEnding, number>): LineEnding {
  if (counts["\r\n"] > counts["\n"] && counts["\r\n"] >= counts["\r"]) return "\r\n";
  return counts["\r"] > counts["\n"] ? "\r" : "\n";
}

/** Offsets at which lines start. */
export const lineStarts = (text: string): number[] => [
  0,
  ...Array.from(text.matchAll(endings), (found) => found.index + found[0].length),
];

/** Index of the line an offset is on. */
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
const isBlank = (character: string | undefined): boolean =>
  character === " " || character === "\t" || isEnding(character);

/** Offset at which the line of an offset starts. */
export function lineStart(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && !isEnding(text[start - 1])) start -= 1;
  return start;
}

/** Offset of the line ending that follows an offset, or of the end of the text. */
export function lineEnd(text: string, offset: number): number {
  let end = offset;
  while (end < text.length && !isEnding(text[end])) end += 1;
  return end;
}

/** The last offset before `end` behind which only blanks and line endings stand, not below `start`. */
export function contentEnd(text: string, start: number, end: number): number {
  let last = end;
  while (last > start && isBlank(text[last - 1])) last -= 1;
  return last;
}

/** A text without blanks and line endings around it. */
export function trimBlank(text: string): string {
  let start = 0;
  while (start < text.length && isBlank(text[start])) start += 1;
  return text.slice(start, contentEnd(text, start, text.length));
}
