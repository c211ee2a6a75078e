import { splitLines } from "../../markdown/text/line-ending.ts";
import { withoutMachineWords } from "../../markdown/text/machine-words.ts";
import { plainLine } from "../../markdown/text/plain-line.ts";

/** Characters that are kept of a log, and that are looked at for them. */
const longest = 8000;
const mostRead = 4 * longest;
const cutMark = "…\n";
/** Blanks that are kept before a line. */
const deepest = 40;

/**
 * The end of a log in lines, between fences that nothing in it can close; none when it says nothing.
 *
 * @param log Untrusted, of any length.
 */
export function fenceLog(log: string): string[] {
  const lines = splitLines(log.slice(-mostRead)).map(plainIndented);
  const first = lines.findIndex((line) => line !== "");
  if (first < 0) return [];
  const last = lines.findLastIndex((line) => line !== "");
  const text = lastPart(lines.slice(first, last + 1).join("\n"));
  const runs = Array.from(text.matchAll(/`{3,}/g), ([run]) => run.length);
  const fence = "`".repeat(Math.max(2, ...runs) + 1);
  return [`${fence}text`, ...splitLines(text), fence];
}

/** A line without what `plainLine` leaves out, where it stood. */
function plainIndented(line: string): string {
  const start = line.search(/[^ \t]|$/);
  const text = withoutMachineWords(plainLine(line.slice(start), longest));
  return text === "" ? "" : line.slice(0, Math.min(start, deepest)).replaceAll("\t", "  ") + text;
}

/** The end of a text, from the beginning of a line where there is one, else from a whole character. */
function lastPart(text: string): string {
  if (text.length <= longest) return text;
  const end = text.slice(cutMark.length - longest).replace(/^[\uDC00-\uDFFF]/, "");
  return `${cutMark}${end.slice(end.indexOf("\n") + 1)}`;
}
