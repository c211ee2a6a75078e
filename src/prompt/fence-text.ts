/** Keep the end of a text, from the beginning of a line if possible, else without splitting a character. */
export function lastPart(text: string, max: number): string {
  if (max <= 0) return "";
  if (text.length <= max) return text.trimEnd();
  const end = text.slice(-max).replace(/^[\uDC00-\uDFFF]/, "");
  return `…\n${end.slice(end.indexOf("\n") + 1)}`.trimEnd();
}

/** Keep the beginning of a text, up to the end of a line if possible, else without splitting a character. */
export function firstPart(text: string, max: number): string {
  if (max <= 0) return "";
  if (text.length <= max) return text.trimEnd();
  const start = text.slice(0, max).replace(/[\uD800-\uDBFF]$/, "");
  const end = start.lastIndexOf("\n");
  return `${(end < 0 ? start : start.slice(0, end)).trimEnd()}\n…`;
}

export const onOneLine = (text: string, max: number): string => firstPart(text, max).replace(/\s+/g, " ").trim();

/**
 * Put a text between fences that the text cannot close.
 *
 * @param label Info string of the fence, one trusted word.
 */
export function fenceText(text: string, label: string): string {
  let longest = 2;
  for (const { 0: run } of text.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length);
  const fence = "`".repeat(longest + 1);
  return `${fence}${label}\n${text}\n${fence}`;
}

/**
 * Put a text between fences, shortened until everything fits; null if there is no room. The length of the fences
 * depends on the text, so each candidate is rendered to measure its length.
 *
 * @param max Maximum length in UTF-16 code units, including the fences.
 * @param cut Shortens a text: keeps its first or its last part.
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

export const numberLines = (lines: readonly string[]): string =>
  lines.map((line, index) => `${index + 1}. ${line}`).join("\n");
