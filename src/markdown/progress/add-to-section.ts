import { countEndings, dominantEnding, type LineEnding, splitLines, trimBlank } from "../text/line-ending.ts";
import type { ProgressLog, SectionPlace } from "./progress-section.ts";

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
