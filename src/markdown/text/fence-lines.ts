import { splitLines } from "./line-ending.ts";
import { withoutMachineWords } from "./machine-words.ts";
import { plainLine } from "./plain-line.ts";

/** Code points of a line, and blanks that are kept before it. */
const longestLine = 8000;
const deepest = 40;

/** Untrusted text as lines of plain text, indented as they were; none when it says nothing. */
export function plainLines(text: string): string[] {
  const lines = splitLines(text).map(plainIndented);
  const first = lines.findIndex((line) => line !== "");
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex((line) => line !== "") + 1);
}

/** A line without what `plainLine` leaves out, where it stood. */
function plainIndented(line: string): string {
  const start = line.search(/[^ \t]|$/);
  const text = withoutMachineWords(plainLine(line.slice(start), longestLine));
  return text === "" ? "" : line.slice(0, Math.min(start, deepest)).replaceAll("\t", "  ") + text;
}

/** Lines of plain text between fences that nothing in them can close. */
export function fenceLines(lines: readonly string[]): string[] {
  const runs = lines.flatMap((line) => Array.from(line.matchAll(/`{3,}/g), ([run]) => run.length));
  const fence = "`".repeat(Math.max(2, ...runs) + 1);
  return [`${fence}text`, ...lines, fence];
}
