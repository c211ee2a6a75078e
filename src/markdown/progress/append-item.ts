import { encodeText } from "../text/encode-text.ts";
import { countEndings, dominantEnding, type LineEnding, splitLines, trimBlank } from "../text/line-ending.ts";
import { plainLine } from "../text/plain-line.ts";
import { type ProgressLog, readProgress, type SectionPlace } from "./progress-section.ts";

/** An item of a section, as markdown. */
interface SectionItem {
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
  const section = log.find(heading);
  if (section !== null && key !== null && holdsLineOf(log.proseOf(section), key)) return text;
  const bullet = section?.bullet ?? "-";
  return addToSection(log, section, { heading, before, bullet, endsWithItem: true, lines: [`${bullet} ${line}`] });
}

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

/** A part of a log that reads the same wherever it stands at the root of a document, with a blank line around it. */
export interface LogPiece {
  /** Of the item it begins with, or the mark behind its number; null when it begins with anything else. */
  readonly bullet: string | null;
  /** Whether it ends with an item, of which an indented line behind it would become a part. */
  readonly endsWithItem: boolean;
  /** At least one; the first is not blank. */
  readonly lines: readonly string[];
}

/** A piece for a section. */
interface Addition extends LogPiece, Pick<SectionItem, "heading" | "before"> {}

/**
 * A log with an addition at the end of a section, or in a section of its own.
 *
 * @param section Null when the log has no such section.
 */
export function addToSection(log: ProgressLog, section: SectionPlace | null, addition: Addition): string {
  const { text } = log;
  const ending = dominantEnding(countEndings(text));
  if (section === null) return insertSection(log, addition, ending);
  const { end, endsWith, bullet } = section;
  const joins = endsWith === "heading" || (endsWith === "list" && bullet === addition.bullet);
  const gap = joins ? ending : ending.repeat(2);
  return insertAt(text, end, `${gap}${written(text, end, addition, ending)}${behind(text, end, ending)}`);
}

export const insertAt = (text: string, at: number, inserted: string): string =>
  `${text.slice(0, at)}${inserted}${text.slice(at)}`;

function insertSection({ text, end, startOf }: ProgressLog, addition: Addition, ending: LineEnding): string {
  const next = startOf(addition.before) ?? (end < text.length ? end : null);
  const at = next ?? text.length;
  const lines = splitLines(text.slice(Math.max(0, at - 200), at));
  const endsLine = lines.at(-1) === "";
  const endsBlank = at === 0 || (endsLine && trimBlank(lines.at(-2) as string) === "");
  const gap = `${endsLine ? "" : ending}${endsBlank ? "" : ending}`;
  const section = `## ${addition.heading}${ending}${written(text, at, addition, ending)}${ending}`;
  return insertAt(text, at, `${gap}${section}${next === null ? "" : ending}`);
}

function written(text: string, at: number, { lines, endsWithItem }: Addition, ending: LineEnding): string {
  const indent = endsWithItem ? margin(text, at) : "";
  return lines.map((line) => (line === "" ? line : `${indent}${line}`)).join(ending);
}

/** Indentation with which an item takes no indented line behind it, as of a heading, for a part of its own. */
export const margin = (text: string, at: number): string =>
  /^[ \t\r\n]*[\r\n] {2,3}[^ \t\r\n]/.test(`\n${text.slice(at, at + 500)}`) ? "   " : "";

/** A line ending where text follows that would otherwise run into the line. */
export function behind(text: string, at: number, ending: LineEnding): string {
  const [, next = ""] = splitLines(text.slice(at, at + 500));
  return trimBlank(next) === "" || next.startsWith("#") ? "" : ending;
}

const longest = 100;
const closingHashes = /(?<=^|[ \t])#(?=#*$)/;

/** A text as the title of a section, empty when nothing of it can be read. @param heading Untrusted. */
export const sectionTitle = (heading: string): string =>
  encodeText(plainLine(heading, longest), "x ").replace(closingHashes, "\\#");
