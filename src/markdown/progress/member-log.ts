import { readTree } from "../blocks/read-tree.ts";
import { preambleLength } from "../document/preamble.ts";
import { readHeading } from "../tasks/read-blocks.ts";
import { encodeText } from "../text/encode-text.ts";
import { splitLines } from "../text/line-ending.ts";
import { plainLine } from "../text/plain-line.ts";
import { joinPieces, type LogPiece, pieceOf } from "./log-piece.ts";
import { sectionTitle } from "./section-title.ts";

/** What a log says below a heading. */
export interface LogSection {
  readonly heading: string;
  readonly pieces: readonly LogPiece[];
}

/** The section of what stands below no heading. */
export const learnings = "Learnings";

/** Headings told apart; what stands below further ones is counted among the learnings. */
const mostSections = 30;
/** Code points kept of a line, and of a heading within a section. */
const longestLine = 2000;
const longestHeading = 100;

/**
 * The sections of a log that a member of a batch wrote, in order, each heading once. A heading of level 1 is the name
 * of a log; one below level 2 makes a single piece with what stands under it. A section may hold nothing.
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

/** A line without what a terminal or a reader takes for something else; its indentation stays. */
function cleanLine(line: string): string {
  const indent = line.slice(0, line.search(/[^ \t]|$/));
  const text = plainLine(line, longestLine);
  return text === "" ? "" : `${indent}${text}`;
}
