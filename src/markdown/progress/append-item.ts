import { encodeText } from "../text/encode-text.ts";
import { countEndings, dominantEnding, type LineEnding, splitLines, trimBlank } from "../text/line-ending.ts";
import { plainLine } from "../text/plain-line.ts";
import { type ProgressLog, readProgress, type SectionPlace } from "./progress-section.ts";

/** An item of a section, as markdown. */
interface SectionItem {
  /** Title of the section, without `#`. */
  readonly heading: string;
  /** Beginnings of headings: the section is created before the first heading that begins with one of them. */
  readonly before: readonly string[];
  /**
   * Beginning of the line, ignoring a box, bold and the word `Task`: an item with this beginning is not added again.
   * Null to always add the item.
   */
  readonly key: string | null;
  /** Without bullet. */
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
  // Compare without backslashes: encoding adds nothing else.
  const source = section.replaceAll("\\", "");
  const start = key.replaceAll("\\", "");
  if (start === "" || !source.toLowerCase().includes(start.toLowerCase())) return false;
  const words = start.replace(/[.*+?^${}()|[\]]/g, "\\$&");
  const bullet = String.raw`^[ \t]*[-*+][ \t]+(?:\[[ xX]\][ \t]+)?(?:\*\*)?(?:Task[ \t]+)?`;
  const end = /\w$/.test(start) ? String.raw`(?![\w-]|\.\w)` : "";
  const own = new RegExp(`${bullet}${words}${end}`, "i");
  return splitLines(source).some((line) => own.test(line));
}

/** A part of a log that, between blank lines at the root of a document, is parsed the same everywhere. */
export interface LogPiece {
  /** Bullet of the first item, or the mark after its number; null if the piece does not begin with an item. */
  readonly bullet: string | null;
  /** Whether the piece ends with an item: an indented line after the piece would continue that item. */
  readonly endsWithItem: boolean;
  /** At least one line; the first is not blank. */
  readonly lines: readonly string[];
}

/** A piece for a section. */
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

/** Indentation for an item, so that an indented line after it, such as a heading, does not become part of it. */
export const margin = (text: string, at: number): string =>
  /^[ \t\r\n]*[\r\n] {2,3}[^ \t\r\n]/.test(`\n${text.slice(at, at + 500)}`) ? "   " : "";

/** A line ending, if the following text would otherwise be read as part of the line. */
export function behind(text: string, at: number, ending: LineEnding): string {
  const [, next = ""] = splitLines(text.slice(at, at + 500));
  return trimBlank(next) === "" || next.startsWith("#") ? "" : ending;
}

const longest = 100;
const closingHashes = /(?<=^|[ \t])#(?=#*$)/;

/** Encode a text as the title of a section; empty if no readable text remains. @param heading Untrusted. */
export const sectionTitle = (heading: string): string =>
  encodeText(plainLine(heading, longest), "x ").replace(closingHashes, "\\#");
