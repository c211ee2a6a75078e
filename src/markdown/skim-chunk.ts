import { contentEnd, lineEnd, trimBlank } from "./line-ending.ts";
import { hasPlainHeadings } from "./plain-headings.ts";
import { type FoundTask, type Reading, readHeading } from "./read-blocks.ts";
import { readTitle } from "./read-title.ts";

const head = /^[-*+] \[([ xX])\] (?=[^ \t\r\n])([^\r\n]*)/;
const line = /([^\r\n]*)(?:\r\n|\n|\r|$)/y;
const rule = /^(?:---+|\*\*\*+|___+)[ \t]*$/;
const firstBullet = /^ {2,5}[-*+] +[^ ]/;
// Anything that might be a box, a fence or HTML for a parser, with a margin.
const boxInside = /[\r\n>*+.)-][ \t>]*\[(?:[^\]]{0,3}|(?:\r\n|\n|\r)[ \t>]*)\]/;
const boxAnywhere = /\[(?:[^\]]{0,3}|(?:\r\n|\n|\r)[ \t>]*)\]/;
const fence = /`{3}|~{3}/;
const atxHeading = /^(#{1,6})[ \t\r\n]/;
const plainItem = /^[-*+][ \t]/;

/**
 * Read a chunk without a markdown parser, when it provably reads as one canonical task or as no task at all.
 *
 * Canonical is a column-0 item with a box whose other lines are blank or indented below it, the first of them a
 * bullet, and perhaps a thematic break at the end.
 */
export const skimChunk = (text: string): Reading | null => skimTask(text) ?? skimProse(text);

function skimTask(text: string): Reading | null {
  const found = head.exec(text);
  if (found === null || text.includes("\t") || fence.test(text)) return null;
  const headEnd = found[0].length;
  if (boxInside.test(text.slice(headEnd))) return null;
  const end = skimBody(text, headEnd);
  if (end === null) return null;
  const { id, markers, title } = readTitle(trimBlank(found[2] as string));
  const task: FoundTask = {
    id,
    markers,
    title,
    done: found[1] !== " ",
    start: 0,
    end,
    box: 3,
    line: 0,
    depth: 0,
  };
  return { tasks: [task], headings: [], oddities: [], open: null };
}

/** Where the body of a canonical block ends; null when it is none. */
function skimBody(text: string, headEnd: number): number | null {
  let end = headEnd;
  let afterBlank = false;
  let afterRule = false;
  let isFirst = true;
  line.lastIndex = text.startsWith("\r\n", headEnd) ? headEnd + 2 : headEnd + 1;
  while (line.lastIndex < text.length) {
    const start = line.lastIndex;
    const source = (line.exec(text) as RegExpExecArray)[1] as string;
    const isBlank = contentEnd(source, 0, source.length) === 0;
    if (!isBlank && afterBlank && !afterRule && rule.test(source)) {
      afterRule = true;
    } else if (!isBlank) {
      if (afterRule || !source.startsWith("  ") || (isFirst && !firstBullet.test(source))) return null;
      end = start + source.length;
    }
    afterBlank = isBlank;
    isFirst = false;
  }
  return end;
}

function skimProse(text: string): Reading | null {
  if (boxAnywhere.test(text) || !hasPlainHeadings(text)) return null;
  const level = atxHeading.exec(text)?.[1]?.length;
  if (level === undefined) return plainItem.test(text) ? { tasks: [], headings: [], oddities: [], open: null } : null;
  const heading = readHeading(text, { start: 0, end: lineEnd(text, 0), level }, 0);
  return { tasks: [], headings: [heading], oddities: [], open: null };
}
