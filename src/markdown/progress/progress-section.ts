import { type Block, readTree } from "../blocks/read-tree.ts";
import type { Chunk } from "../document/chunk.ts";
import { cutDocument, mayHavePreamble } from "../document/cut-chunks.ts";
import { placeHeadings } from "../document/place-tasks.ts";
import { type FoundHeading, readHeading } from "../tasks/read-blocks.ts";
import { contentEnd, lineEnd, lineStart, splitLines, trimBlank } from "../text/line-ending.ts";

export interface SectionPlace {
  readonly start: number;
  /** Offset after the content of the section, or after its heading if the section is empty. */
  readonly end: number;
  /** Last block of the section; `heading` for an empty section. */
  readonly endsWith: "list" | "heading" | "other";
  /** Bullet of the list at the end; `-` if there is none. */
  readonly bullet: string;
}

export interface ProgressLog {
  readonly text: string;
  /** Whether every line that begins with `#` is a heading, and every heading is such a line. */
  readonly isPlain: boolean;
  readonly find: (title: string) => SectionPlace | null;
  readonly findAll: (title: string) => SectionPlace[];
  /** Offset of the first heading of level 2 that begins with one of `words`; null if there is none. */
  readonly startOf: (words: readonly string[]) => number | null;
  readonly proseOf: (section: SectionPlace) => string;
  /** The text, cut before each section and at the end of the document: text may be added at these places only. */
  readonly parts: () => string[];
  /** Offset for text at the end of the document: before an unclosed fence or comment, if there is one. */
  readonly end: number;
}

const level = 2;
const item = /^([-*+])[ \t]/;

export function readProgress(text: string): ProgressLog {
  // Parsing is slow, and the log is read for each task; most logs are plain.
  const isPlain = !mayHavePreamble(text) && hasPlainHeadings(text);
  const chunks = isPlain ? [] : cutDocument(text);
  const headings = isPlain ? plainHeadings(text) : placeHeadings(chunks, text.length);
  const end = endOf(text, chunks.at(-1));
  const isTitled = (title: string, found: FoundHeading): boolean =>
    found.level === level && withoutEscapes(found.title) === withoutEscapes(title);
  const placeOf = (heading: FoundHeading, index: number): SectionPlace => {
    const next = headings.slice(index + 1).find((found) => found.level <= level);
    return placeIn(text, heading.start, Math.min(next?.start ?? end, end));
  };
  return {
    text,
    isPlain,
    end,
    find: (title) => {
      const index = headings.findIndex((found) => isTitled(title, found));
      const heading = headings[index];
      return heading === undefined ? null : placeOf(heading, index);
    },
    findAll: (title) =>
      headings.flatMap((heading, index) => (isTitled(title, heading) ? [placeOf(heading, index)] : [])),
    proseOf: (section) => (isPlain ? text.slice(section.start, section.end) : proseIn(chunks, section)),
    parts: () => {
      const cuts = [0, ...headings.filter((found) => found.level <= level).map(({ start }) => start), end];
      return cuts.map((start, index) => text.slice(start, cuts[index + 1]));
    },
    startOf: (words) => {
      const found = headings.find(
        ({ level: depth, title }) => depth === level && words.some((word) => startsWithWord(title, word)),
      );
      return found === undefined ? null : lineStart(text, found.start);
    },
  };
}

const withoutEscapes = (title: string): string => title.replaceAll("\\", "").toLowerCase();

function endOf(text: string, last: Chunk | undefined): number {
  if (last === undefined || last.open === null) return text.length;
  return lineStart(text, text.length - last.text.length + last.open);
}

const mayHoldCode = /`{3}|~{3}|<| {4}|\t/;

function proseIn(chunks: readonly Chunk[], { start, end }: SectionPlace): string {
  let offset = 0;
  let prose = "";
  for (const { text } of chunks) {
    const part = text.slice(Math.max(0, start - offset), Math.max(0, end - offset));
    if (part !== "") prose += mayHoldCode.test(part) ? `${withoutCode(part, readTree(part))}\n` : part;
    offset += text.length;
  }
  return prose;
}

function withoutCode(text: string, block: Block): string {
  if (block.type === "code" || block.type === "html") return "";
  let prose = "";
  let from = block.start;
  for (const child of block.children) {
    prose += text.slice(from, child.start) + withoutCode(text, child);
    from = child.end;
  }
  return prose + text.slice(from, block.end);
}

const startsWithWord = (title: string, word: string): boolean =>
  title.toLowerCase().startsWith(word.toLowerCase()) && !/^\w/.test(title.slice(word.length));

function placeIn(text: string, start: number, limit: number): SectionPlace {
  const end = contentEnd(text, start, limit);
  const lines = splitLines(text.slice(start, end));
  if (lines.length === 1) return { start, end, endsWith: "heading", bullet: "-" };
  // An indented line belongs to the item above it, and HTML continues to the next blank line.
  const last = lines.findLast((line) => !/^[ \t]/.test(line)) as string;
  const isHtml = lines
    .slice(lines.findLastIndex((line) => trimBlank(line) === "") + 1)
    .some((line) => /^ {0,3}</.test(line));
  const bullet = isHtml ? undefined : item.exec(last)?.[1];
  return { start, end, endsWith: bullet === undefined ? "other" : "list", bullet: bullet ?? "-" };
}

const flowStart = /(?:^|[\r\n]) {0,3}(?:`{3}|~{3}|<)/;
const indentedHeading = /(?:^|[\r\n]) {1,3}#/;
const underline = /[^ \t\r\n][ \t]*(?:\r\n|\n|\r) {0,3}(?:=+|-+)[ \t]*(?:[\r\n]|$)/;
const heading = /(?:^|[\r\n])(#{1,6})(?=[ \t\r\n]|$)/g;

/**
 * Whether every line that begins with `#` is a heading, and every heading is such a line: the text has no fence, no
 * HTML block, and no underlined or indented heading.
 */
const hasPlainHeadings = (text: string): boolean =>
  !flowStart.test(text) && !indentedHeading.test(text) && !underline.test(text);

/** Find the headings of a text for which `hasPlainHeadings` holds. Line numbers are not computed. */
const plainHeadings = (text: string): FoundHeading[] =>
  Array.from(text.matchAll(heading), (found) => {
    const marks = found[1] as string;
    const start = found.index + found[0].length - marks.length;
    return readHeading(text, { start, end: lineEnd(text, start), level: marks.length }, 0);
  });
