/**
 * How many lines of a paragraph each link definition at its start takes.
 *
 * @param lines
 *   The lines of the paragraph, without the blanks before them.
 */
export function definitionLines(lines: readonly string[]): number[] {
  const source = lines.join("\n");
  const taken: number[] = [];
  let at = 0;
  while (source[at] === "[") {
    const end = definitionEnd(source, at);
    if (end < 0) break;
    taken.push(countLines(source, at, end));
    at = end + 1;
  }
  return taken;
}

/** Offset of the line ending behind the definition at an offset, -1 when there is none. */
function definitionEnd(source: string, start: number): number {
  const label = labelEnd(source, start);
  if (label < 0 || source[label] !== ":") return -1;
  const destination = destinationEnd(source, skipBlank(source, label + 1, true));
  if (destination < 0) return -1;
  const title = skipBlank(source, destination, true);
  const titled = title > destination ? lineEndBehind(source, titleEnd(source, title)) : -1;
  return titled < 0 ? lineEndBehind(source, destination) : titled;
}

/** Offset behind the label in brackets; it has 1 to 999 characters. */
function labelEnd(source: string, start: number): number {
  let size = 0;
  let isSeen = false;
  for (let at = start + 1; at < source.length; at += 1) {
    const character = source[at] as string;
    if (character === "[" || size > 999) return -1;
    if (character === "]") return isSeen ? at + 1 : -1;
    if (character === "\n") continue;
    size += 1;
    isSeen ||= !isBlank(character);
    if (character === "\\" && "[\\]".includes(source[at + 1] ?? " ")) {
      at += 1;
      size += 1;
    }
  }
  return -1;
}

function destinationEnd(source: string, start: number): number {
  if (source[start] === "<") return enclosedEnd(source, start + 1);
  let depth = 0;
  let at = start;
  for (; at < source.length; at += 1) {
    const character = source[at] as string;
    if (isControl(character)) break;
    if (character === "(") depth += 1;
    if (character === ")" && depth === 0) break;
    if (character === ")") depth -= 1;
    if (character === "\\" && "(\\)".includes(source[at + 1] ?? " ")) at += 1;
  }
  return depth === 0 && at > start ? at : -1;
}

function enclosedEnd(source: string, start: number): number {
  for (let at = start; at < source.length; at += 1) {
    const character = source[at] as string;
    if (character === ">") return at + 1;
    if (character === "<" || character === "\n") return -1;
    if (character === "\\" && "<\\>".includes(source[at + 1] ?? " ")) at += 1;
  }
  return -1;
}

function titleEnd(source: string, start: number): number {
  const opening = source[start] as string;
  if (!"\"'(".includes(opening)) return -1;
  const closing = opening === "(" ? ")" : opening;
  for (let at = start + 1; at < source.length; at += 1) {
    if (source[at] === closing) return at + 1;
    if (source[at] === "\\" && (source[at + 1] === closing || source[at + 1] === "\\")) at += 1;
  }
  return -1;
}

/** The end of the line when nothing but blanks stands behind an offset, else -1. */
function lineEndBehind(source: string, offset: number): number {
  if (offset < 0) return -1;
  const at = skipBlank(source, offset, false);
  return at === source.length || source[at] === "\n" ? at : -1;
}

function skipBlank(source: string, start: number, acrossLines: boolean): number {
  let at = start;
  while (isBlank(source[at]) || (acrossLines && source[at] === "\n")) at += 1;
  return at;
}

function countLines(source: string, start: number, end: number): number {
  let lines = 1;
  for (let at = source.indexOf("\n", start); at >= 0 && at < end; at = source.indexOf("\n", at + 1)) lines += 1;
  return lines;
}

const isBlank = (character: string | undefined): boolean => character === " " || character === "\t";
// NUL is read as U+FFFD.
const isControl = (character: string): boolean => (character <= " " && character !== "\0") || character === "\u007F";
