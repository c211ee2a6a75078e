import { countEndings, dominantEnding, splitLines, trimBlank } from "../text/line-ending.ts";
import { type ProgressLog, readProgress } from "./progress-section.ts";

/** An item of a section, as markdown. */
export interface SectionItem {
  /** Title of the section, without its marks. */
  readonly heading: string;
  /** Beginnings of the headings before the first of which the section is made. */
  readonly before: readonly string[];
  /** What its line begins with, a box, bold or the word `Task` aside; null when it is to be added in any case. */
  readonly key: string | null;
  /** Without bullet. */
  readonly line: string;
}

/** Add an item to the first section of that title, which is made when it is missing. */
export function appendItem(text: string, { heading, before, key, line }: SectionItem): string {
  const log = readProgress(text);
  const ending = dominantEnding(countEndings(text));
  const section = log.find(heading);
  if (section === null) return insertSection(log, before, ending, heading, line);
  if (key !== null && holdsLineOf(log.proseOf(section), key)) return text;
  const { end, bullet } = section;
  const gap = section.endsWith === "other" ? ending.repeat(2) : ending;
  return insertAt(text, end, `${gap}${margin(text, end)}${bullet} ${line}${behind(text, end, ending)}`);
}

function insertSection(
  { text, end, startOf }: ProgressLog,
  before: readonly string[],
  ending: string,
  heading: string,
  line: string,
): string {
  const next = startOf(before) ?? (end < text.length ? end : null);
  const at = next ?? text.length;
  const lines = splitLines(text.slice(Math.max(0, at - 200), at));
  const endsLine = at === 0 || lines.at(-1) === "";
  const endsBlank = at === 0 || (endsLine && trimBlank(lines.at(-2) as string) === "");
  const gap = `${endsLine ? "" : ending}${endsBlank ? "" : ending}`;
  const section = `## ${heading}${ending}${margin(text, at)}- ${line}${ending}`;
  return insertAt(text, at, `${gap}${section}${next === null ? "" : ending}`);
}

/** Indentation of an item, lest an indented line behind it, as of a heading, becomes a part of it. */
const margin = (text: string, at: number): string =>
  /^[ \t\r\n]*[\r\n] {2,3}[^ \t\r\n]/.test(`\n${text.slice(at, at + 500)}`) ? "   " : "";

/** A line ending where text follows that would otherwise run into the line. */
function behind(text: string, at: number, ending: string): string {
  const [, next = ""] = splitLines(text.slice(at, at + 500));
  return trimBlank(next) === "" || next.startsWith("#") ? "" : ending;
}

const insertAt = (text: string, at: number, inserted: string): string =>
  `${text.slice(0, at)}${inserted}${text.slice(at)}`;

function holdsLineOf(section: string, key: string): boolean {
  // What is encoded differs by backslashes only.
  const source = section.replaceAll("\\", "");
  const start = key.replaceAll("\\", "");
  if (start === "" || !source.toLowerCase().includes(start.toLowerCase())) return false;
  const words = start.replace(/[.*+?^${}()|[\]]/g, "\\$&");
  const bullet = String.raw`^[ \t]*[-*+][ \t]+(?:\[[ xX]\][ \t]+)?(?:\*\*)?(?:Task[ \t]+)?`;
  const end = /\w$/.test(start) ? String.raw`(?![\w-]|\.\w)` : "";
  const own = new RegExp(`${bullet}${words}${end}`, "i");
  return splitLines(source).some((line) => own.test(line));
}
