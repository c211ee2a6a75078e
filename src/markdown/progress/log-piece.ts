import type { Block } from "../blocks/block.ts";
import { readTree } from "../blocks/read-tree.ts";
import { encodeText } from "../text/encode-text.ts";
import { lineEnd, lineStart, splitLines, trimBlank } from "../text/line-ending.ts";
import { outdent } from "../text/outdent.ts";
import { plainLine } from "../text/plain-line.ts";

/** A part of a log that reads the same wherever it stands at the root of a document, with a blank line around it. */
export interface LogPiece {
  /** Of an item, or the mark behind its number; null when it begins with anything else. */
  readonly bullet: string | null;
  readonly endsWithItem: boolean;
  /** At least one; the first is not blank. */
  readonly lines: readonly string[];
}

const longestLine = 500;
const marker = /^(?:([-*+])|\d{1,9}([.)]))(?=[ \t]|$)/;
const nothing = /^(?:[-*+>]|\d{1,9}[.)])?$/;
const fenceMark = /^(?:`{3,}|~{3,})/;

/**
 * A block of the root, or an item of a list there, as a piece; none when nothing stands in it. A fence that is never
 * closed is, and what cannot stand as it is becomes items of plain text.
 */
export function pieceOf(source: string, block: Block): LogPiece | null {
  const lines = splitLines(source.slice(lineStart(source, block.start), lineEnd(source, block.end)));
  if (block.type === "thematicBreak" || nothing.test(trimBlank(lines.join("\n")))) return null;
  const dedented = lines.map((line) => outdent(line, block.column - 1));
  // Indented code would become a part of the item above it.
  if (block.type === "code" && !fenceMark.test(dedented[0] as string)) return plainPiece(lines);
  // An indented end of a fence is none where the piece is indented.
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

/** Pieces one below another. Items of one list stand without a blank line between them. */
export const joinPieces = (pieces: readonly LogPiece[]): string[] =>
  pieces.flatMap(({ bullet, lines }, index) => {
    const before = pieces[index - 1];
    const apart = before !== undefined && (bullet === null || before.bullet !== bullet);
    return apart ? ["", ...lines] : [...lines];
  });

/** The fence that a block ends with and lacks the end of. */
function openFence(block: Block): Block | null {
  if (block.type === "code") return block.isUnclosed ? block : null;
  const last = block.children.at(-1);
  return last === undefined ? null : openFence(last);
}

/** Whether lines read as one block of that kind and nothing in them reaches what stands around them. */
function standsAlone(lines: readonly string[], { type }: Block): boolean {
  const [only, ...others] = readTree(lines.join("\n")).children;
  if (only === undefined || others.length > 0 || reachesOut(only)) return false;
  return type === "listItem" ? only.type === "list" && only.children.length === 1 : only.type === type;
}

/** HTML may go on, and a definition is one for the whole document. */
const reachesOut = (block: Block): boolean =>
  block.type === "html" || block.type === "definition" || block.isUnclosed || block.children.some(reachesOut);

/** Every line as an item of its own, as text. */
function plainPiece(lines: readonly string[]): LogPiece {
  const items = lines.map((line) => encodeText(plainLine(line.replace(/^[ \t]*[-*+][ \t]/, ""), longestLine), ""));
  const filled = items.filter((item) => item !== "");
  return { bullet: "-", endsWithItem: true, lines: filled.map((item) => `- ${item}`) };
}
