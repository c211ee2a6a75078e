/** The end of a text, from the beginning of a line where there is one, else from a whole character. */
export function lastPart(text: string, max: number): string {
  if (max <= 0) return "";
  if (text.length <= max) return text.trimEnd();
  const end = text.slice(-max).replace(/^[\uDC00-\uDFFF]/, "");
  return `…\n${end.slice(end.indexOf("\n") + 1)}`.trimEnd();
}

/** The beginning of a text, to the end of a line where there is one, else to a whole character. */
export function firstPart(text: string, max: number): string {
  if (max <= 0) return "";
  if (text.length <= max) return text.trimEnd();
  const start = text.slice(0, max).replace(/[\uD800-\uDBFF]$/, "");
  const end = start.lastIndexOf("\n");
  return `${(end < 0 ? start : start.slice(0, end)).trimEnd()}\n…`;
}

/** A text on one line. */
export const onOneLine = (text: string, max: number): string => firstPart(text, max).replace(/\s+/g, " ").trim();

/**
 * A text between fences that nothing in it can close.
 *
 * @param label
 *   Info string of the fence, one word of our own.
 */
export function fenceText(text: string, label: string): string {
  let longest = 2;
  for (const { 0: run } of text.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length);
  const fence = "`".repeat(longest + 1);
  return `${fence}${label}\n${text}\n${fence}`;
}

/**
 * A text in its fence, cut until both fit; null where there is no room. A fence is as long as its text makes it, so that
 * how much fits shows only when it is drawn.
 *
 * @param max
 *   UTF-16 code units, fences included.
 * @param cut
 *   Makes a text shorter: keeps its first part, or its last.
 */
export function fenceWithin(
  text: string,
  label: string,
  max: number,
  cut: (text: string, max: number) => string,
): string | null {
  let room = max - fenceText("", label).length;
  while (room > 0) {
    const fenced = fenceText(cut(text, room), label);
    if (fenced.length <= max) return fenced;
    room = Math.floor((room * max) / fenced.length);
  }
  return null;
}

/** Lines as a numbered list, from 1. */
export const numberLines = (lines: readonly string[]): string =>
  lines.map((line, index) => `${index + 1}. ${line}`).join("\n");
