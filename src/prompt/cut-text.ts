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
