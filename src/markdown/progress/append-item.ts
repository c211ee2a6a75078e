import { InputError } from "../../model/errors.ts";
import { encodeText } from "../text/encode-text.ts";
import { countEndings, dominantEnding, type LineEnding, splitLines, trimBlank } from "../text/line-ending.ts";
import { plainLine } from "../text/plain-line.ts";
import { type ProgressLog, readProgress, type SectionPlace } from "./progress-section.ts";

/** Where a section is made, and what tells a line that it has. */
export interface AppendOptions {
  /** First words of the headings before the first of which the section is made. Default: the end of the document. */
  readonly before?: readonly string[];
  /** What the line begins with: nothing is added where the section has a line that begins so. Default: none. */
  readonly key?: string;
}

const longestLine = 500;

/**
 * Add a line to the first `## ` section of that heading, which is made when it is missing; every other byte stays.
 *
 * @param heading
 *   Untrusted, as `line`: both become one line of plain text, in which code spans may stay.
 * @param line
 *   What stands behind the bullet, at most 500 characters. One without any leaves the text as it is.
 * @throws {InputError} `empty-heading`
 */
export function appendToSection(markdown: string, heading: string, line: string, options: AppendOptions = {}): string {
  const title = sectionTitle(heading);
  if (title === "") {
    throw new InputError("Cannot add a line to a section without a heading, expected its text", {
      code: "empty-heading",
      hint: "Name the section, as in `Learnings`.",
    });
  }
  const item = encodeText(plainLine(line, longestLine), "");
  if (item === "") return markdown;
  const { before = [], key } = options;
  return appendItem(markdown, {
    ...{ heading: title, before, line: item },
    key: key === undefined ? null : plainLine(key, longestLine),
  });
}

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

/** What is added to a section, as markdown that stands at the root of a document. */
export interface Addition {
  /** Title of the section, without its marks. */
  readonly heading: string;
  /** Beginnings of the headings before the first of which the section is made. */
  readonly before: readonly string[];
  /** Of the item it begins with; null when it begins with something else. */
  readonly bullet: string | null;
  /** Whether it ends with an item, of which an indented line behind it would become a part. */
  readonly endsWithItem: boolean;
  /** At least one; the first is not blank. */
  readonly lines: readonly string[];
}

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
