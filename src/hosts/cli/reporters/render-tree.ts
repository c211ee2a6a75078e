import { styleText } from "node:util";
import { clipText } from "../clip-text.ts";
import { countOf } from "../count-of.ts";
import { escapeText } from "../escape-text.ts";
import type { Terminal } from "../terminal.ts";
import type { TreeRow } from "./task-tree.ts";

const looks = {
  open: { glyph: "○", colour: "gray" },
  running: { glyph: "▶", colour: "cyan" },
  passed: { glyph: "✔", colour: "green" },
  failed: { glyph: "✖", colour: "red" },
} as const;

type Look = Pick<Terminal, "columns" | "colour">;

/** All rows of a tree and a line that counts them, none wider than the terminal. */
export function renderTree(rows: readonly TreeRow[], look: Look): readonly string[] {
  const passed = rows.filter(({ state }) => state === "passed").length;
  const fixes = rows.filter(({ depth }) => depth > 0).length;
  const count = `${passed}/${rows.length} completed${fixes === 0 ? "" : `, ${countOf(fixes, "fix", "fixes")}`}`;
  return [...rows.map((row) => renderRow(row, look)), paint(clipText(count, look.columns).text, "gray", look)];
}

/** The part of a tree around the row that is up, in at most `height` lines; what is left out is counted. */
export function renderTreeWindow(
  rows: readonly TreeRow[],
  current: number,
  height: number,
  look: Look,
): readonly string[] {
  const lines = renderTree(rows, look);
  if (lines.length <= height) return lines;
  const shown = Math.max(1, height - 3);
  const first = Math.max(0, Math.min(current - Math.floor(shown / 2), rows.length - shown));
  const rest = rows.length - first - shown;
  const left = (count: number, where: string): string =>
    paint(clipText(count === 0 ? "" : `… ${count} ${where}`, look.columns).text, "gray", look);
  const window = [left(first, "above"), ...lines.slice(first, first + shown), left(rest, "below"), ...lines.slice(-1)];
  return height < window.length ? lines.slice(first, first + Math.max(1, height)) : window;
}

function renderRow({ id, title, depth, state, note }: TreeRow, look: Look): string {
  const { glyph, colour } = looks[state];
  const head = `${"  ".repeat(depth)}${glyph}`;
  const room = look.columns - head.length;
  const said = escapeText(note === "" ? "" : `  ${note}`);
  // A long title leaves up to half of the line to what happened.
  const { text, width } = clipText(escapeText(` ${id} ${title}`), room - clipText(said, Math.floor(room / 2)).width);
  const behind = clipText(said, room - width).text;
  const dim = state === "failed" ? "red" : "gray";
  return `${paint(head, colour, look)}${state === "open" ? paint(text, "gray", look) : text}${paint(behind, dim, look)}`;
}

const paint = (text: string, colour: "gray" | "cyan" | "green" | "red", look: Look): string =>
  look.colour && text !== "" ? styleText(colour, text, { validateStream: false }) : text;
