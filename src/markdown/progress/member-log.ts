import { type Block, readTree } from "../blocks/read-tree.ts";
import { preambleLength } from "../document/cut-chunks.ts";
import { readHeading } from "../tasks/read-blocks.ts";
import { encodeText } from "../text/encode-text.ts";
import { lineEnd, lineStart, outdent, splitLines, trimBlank } from "../text/line-ending.ts";
import { plainLine } from "../text/plain-line.ts";
import { type LogPiece, sectionTitle } from "./append-item.ts";

export interface LogSection {
  readonly heading: string;
  readonly pieces: readonly LogPiece[];
}

export const learnings = "Learnings";

/** Maximum number of sections; the content of later headings is added to the learnings. */
const mostSections = 30;
/** Maximum length of a line, in code points. */
const longestLine = 2000;
/** Maximum length of a heading within a section, in code points. */
const longestHeading = 100;

/**
 * Read the sections of a log that a batch task wrote, in order. Sections with equal headings are merged. Text below a
 * heading of level 1 belongs to the learnings; a heading of level 3 or deeper forms one piece with its text. A section
 * may be empty.
 *
 * @param text Untrusted.
 */
export function readMemberLog(text: string): LogSection[] {
  const source = splitLines(text.slice(preambleLength(text)))
    .map(cleanLine)
    .join("\n");
  const sections = new Map<string, { readonly heading: string; readonly pieces: LogPiece[] }>();
  let pieces = piecesOf(learnings);
  let group: LogPiece[] | null = null;
  for (const block of readTree(source).children) {
    if (block.type === "heading") {
      endGroup();
      const { title, level } = readHeading(source, block, 0);
      if (level > 2) group = [headingPiece(title, level)];
      else pieces = piecesOf(level === 2 ? title : learnings);
      continue;
    }
    for (const part of block.type === "list" ? block.children : [block]) {
      const piece = pieceOf(source, part);
      if (piece !== null) (group ?? pieces).push(piece);
    }
  }
  endGroup();
  return [...sections.values()];

  function piecesOf(written: string): LogPiece[] {
    const title = sectionTitle(written);
    const isKnown = sections.has(keyOf(title));
    const heading = title === "" || (sections.size >= mostSections && !isKnown) ? learnings : title;
    const section = sections.get(keyOf(heading)) ?? { heading, pieces: [] };
    sections.set(keyOf(heading), section);
    return section.pieces;
  }

  function endGroup(): void {
    const last = group?.at(-1);
    if (group !== null && last !== undefined && group.length > 1) {
      pieces.push({ bullet: null, endsWithItem: last.endsWithItem, lines: joinPieces(group) });
    }
    group = null;
  }
}

const keyOf = (heading: string): string => heading.replaceAll("\\", "").toLowerCase();

const headingPiece = (title: string, level: number): LogPiece => ({
  bullet: null,
  endsWithItem: false,
  lines: [`${"#".repeat(level)} ${encodeText(plainLine(title, longestHeading), "x ")}`.trimEnd()],
});

function cleanLine(line: string): string {
  const indent = line.slice(0, line.search(/[^ \t]|$/));
  const text = plainLine(line, longestLine);
  return text === "" ? "" : `${indent}${text}`;
}

const longestItem = 500;
const marker = /^(?:([-*+])|\d{1,9}([.)]))(?=[ \t]|$)/;
const nothing = /^(?:[-*+>]|\d{1,9}[.)])?$/;
const fenceMark = /^(?:`{3,}|~{3,})/;

/**
 * Convert a block or a list item to a piece; null if it is empty. An unclosed fence is closed, and content that can
 * change the meaning of other text becomes items of plain text.
 */
function pieceOf(source: string, block: Block): LogPiece | null {
  const lines = splitLines(source.slice(lineStart(source, block.start), lineEnd(source, block.end)));
  if (block.type === "thematicBreak" || nothing.test(trimBlank(lines.join("\n")))) return null;
  const dedented = lines.map((line) => outdent(line, block.column - 1));
  // Indented code after an item would become part of that item.
  if (block.type === "code" && !fenceMark.test(dedented[0] as string)) return plainPiece(lines);
  // A closing fence with a deeper indent would not close the block.
  if (block.type === "code" && !block.isUnclosed) dedented.splice(-1, 1, trimBlank(dedented.at(-1) as string));
  const fence = openFence(block);
  if (fence !== null) {
    const [mark] = fenceMark.exec(source.slice(fence.start)) as RegExpExecArray;
    dedented.push(`${" ".repeat(Math.max(0, fence.column - block.column))}${mark}`);
  }
  if (!standsAlone(dedented, block)) return plainPiece(lines);
  if (block.type !== "listItem") return { bullet: null, endsWithItem: false, lines: dedented };
  const [, bullet, delimiter] = marker.exec(dedented[0] as string) as RegExpExecArray;
  return { bullet: (bullet ?? delimiter) as string, endsWithItem: true, lines: dedented };
}

/** Join pieces. Items of one list have no blank line between them. */
export const joinPieces = (pieces: readonly LogPiece[]): string[] =>
  pieces.flatMap(({ bullet, lines }, index) => {
    const before = pieces[index - 1];
    const apart = before !== undefined && (bullet === null || before.bullet !== bullet);
    return apart ? ["", ...lines] : [...lines];
  });

function openFence(block: Block): Block | null {
  if (block.type === "code") return block.isUnclosed ? block : null;
  const last = block.children.at(-1);
  return last === undefined ? null : openFence(last);
}

/** Whether the lines are parsed as one block of the given type that cannot change the meaning of text around it. */
function standsAlone(lines: readonly string[], { type }: Block): boolean {
  const [only, ...others] = readTree(lines.join("\n")).children;
  if (only === undefined || others.length > 0 || reachesOut(only)) return false;
  return type === "listItem" ? only.type === "list" && only.children.length === 1 : only.type === type;
}

/**
 * Whether a block can change the meaning of other text: HTML or an unclosed fence may include later lines, and a
 * definition applies to the whole document.
 */
const reachesOut = (block: Block): boolean =>
  block.type === "html" || block.type === "definition" || block.isUnclosed || block.children.some(reachesOut);

function plainPiece(lines: readonly string[]): LogPiece {
  const items = lines.map((line) => encodeText(plainLine(line.replace(/^[ \t]*[-*+][ \t]/, ""), longestItem), ""));
  const filled = items.filter((item) => item !== "");
  return { bullet: "-", endsWithItem: true, lines: filled.map((item) => `- ${item}`) };
}
