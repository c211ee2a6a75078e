import { encodeText } from "../text/encode-text.ts";
import { countEndings, dominantEnding, type LineEnding, splitLines, trimBlank } from "../text/line-ending.ts";
import { plainLine } from "../text/plain-line.ts";
import { type ProgressLog, readProgress, type SectionPlace } from "./progress-section.ts";

interface SectionItem {
  readonly heading: string;
  /** A missing section is created before the first heading that begins with one of these texts. */
  readonly before: readonly string[];
  /**
   * Start of the line, without its box, bold and the word `Task`. If the section has a line with this start, nothing is
   * added. Null: always add.
   */
  readonly key: string | null;
  /** Without its bullet. */
  readonly line: string;
}

/** Add an item to the first section with the title `heading`; creates a missing section. */
export function appendItem(text: string, { heading, before, key, line }: SectionItem): string {
  const log = readProgress(text);
  const section = log.find(heading);
  if (section !== null && key !== null && holdsLineOf(log.proseOf(section), key)) return text;
  const bullet = section?.bullet ?? "-";
  return addToSection(log, section, { heading, before, bullet, endsWithItem: true, lines: [`${bullet} ${line}`] });
}

function holdsLineOf(section: string, key: string): boolean {
  // The encoding adds only backslashes, so compare without them.
  const source = section.replaceAll("\\", "");
  const start = key.replaceAll("\\", "");
  if (start === "" || !source.toLowerCase().includes(start.toLowerCase())) return false;
  const words = start.replace(/[.*+?^${}()|[\]]/g, "\\$&");
  const bullet = String.raw`^[ \t]*[-*+][ \t]+(?:\[[ xX]\][ \t]+)?(?:\*\*)?(?:Task[ \t]+)?`;
  const end = /\w$/.test(start) ? String.raw`(?![\w-]|\.\w)` : "";
  const own = new RegExp(`${bullet}${words}${end}`, "i");
  return splitLines(source).some((line) => own.test(line));
}

/**
 * Lines of a log that are parsed the same in every log, if they are between blank lines and outside of any list or
 * quote.
 */
export interface LogPiece {
  /** Bullet of the first item, or the mark after its number; null if the first line is not an item. */
  readonly bullet: string | null;
  /** Whether the last line belongs to an item: an indented line after the piece would continue that item. */
  readonly endsWithItem: boolean;
  /** At least one line; the first is not blank. */
  readonly lines: readonly string[];
}

interface Addition extends LogPiece, Pick<SectionItem, "heading" | "before"> {}

/**
 * Add a piece at the end of a section, or in a new section.
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

/** Indentation for a new item. Without it, an indented line after the item would become part of the item. */
export const margin = (text: string, at: number): string =>
  /^[ \t\r\n]*[\r\n] {2,3}[^ \t\r\n]/.test(`\n${text.slice(at, at + 500)}`) ? "   " : "";

/** One more line ending if the next line would continue the inserted line; otherwise empty. */
export function behind(text: string, at: number, ending: LineEnding): string {
  const [, next = ""] = splitLines(text.slice(at, at + 500));
  return trimBlank(next) === "" || next.startsWith("#") ? "" : ending;
}

const longest = 100;
const closingHashes = /(?<=^|[ \t])#(?=#*$)/;

/** Encode a text as the title of a section; empty if nothing readable is left. @param heading Untrusted. */
export const sectionTitle = (heading: string): string =>
  encodeText(plainLine(heading, longest), "x ").replace(closingHashes, "\\#");
