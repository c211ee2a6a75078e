import { styleText } from "node:util";
import { countOf } from "../../../model/count-of.ts";
import { clipText } from "../../../wording/clip-text.ts";
import { escapeText } from "../../../wording/escape-text.ts";
import type { Terminal } from "../terminal.ts";
import { chooseRows } from "./choose-rows.ts";
import { renderWork, type WorkTime } from "./render-work.ts";
import { isBusy, isPart, type TreeRow } from "./tree-row.ts";

const looks = {
  open: { glyph: "○", colour: "gray" },
  running: { glyph: "▶", colour: "cyan" },
  waiting: { glyph: "◔", colour: "yellow" },
  passed: { glyph: "✔", colour: "green" },
  failed: { glyph: "✖", colour: "red" },
  skipped: { glyph: "⊘", colour: "yellow" },
} as const;

interface Look extends Pick<Terminal, "columns" | "colour">, WorkTime {
  /** The final check while it runs; null before and after. */
  readonly check: TreeRow | null;
}

/** All rows of a tree and a line that counts them and tells of the final check, none wider than the terminal. */
export function renderTree(rows: readonly TreeRow[], look: Look): readonly string[] {
  const tasks = rows.filter((row) => !isPart(row));
  const passed = tasks.filter(({ state }) => state === "passed").length;
  const fixes = tasks.filter(({ depth }) => depth > 0).length;
  const skipped = tasks.filter(({ state }) => state === "skipped").length;
  const count = [
    `${passed}/${tasks.length} completed`,
    ...(fixes === 0 ? [] : [countOf(fixes, "fix", "fixes")]),
    ...(skipped === 0 ? [] : [`${skipped} skipped`]),
    ...(look.check === null ? [] : [escapeText(renderWork(look.check, look))]),
  ].join(", ");
  return [...rows.map((row) => renderRow(row, look)), paint(clipText(count, look.columns).text, "gray", look)];
}

/**
 * The part of a tree around the row that is up and all others that are busy, in at most `height` lines; what is left
 * out is counted.
 */
export function renderTreeWindow(
  rows: readonly TreeRow[],
  current: number,
  height: number,
  look: Look,
): readonly string[] {
  const lines = renderTree(rows, look);
  if (lines.length <= height) return lines;
  const busy = rows.flatMap((row, index) => (isBusy(row) ? [index] : []));
  // Two lines count what is left out above and below, and one all.
  if (height < 4) return chooseRows(rows.length, [current], height).map((index) => lines[index] ?? "");
  const shown = chooseRows(rows.length, [current, ...busy], height - 3);
  const left = (from: number, to: number, where: string): string =>
    paint(clipText(to === from ? "" : `… ${to - from} ${where}`, look.columns).text, "gray", look);
  const window = shown.flatMap((index, place) => {
    const before = shown[place - 1] ?? index - 1;
    return [...(before + 1 < index ? [left(before + 1, index, "between")] : []), lines[index] ?? ""];
  });
  const [first = 0, last = 0] = [shown[0], shown.at(-1)];
  return [left(0, first, "above"), ...window, left(last + 1, rows.length, "below"), ...lines.slice(-1)];
}

function renderRow(row: TreeRow, look: Look): string {
  const { id, title, depth, state, level } = row;
  const note = state === "running" ? renderWork(row, look) : row.note;
  const { glyph, colour } = looks[state];
  const head = `${"  ".repeat(depth)}${glyph}`;
  const room = look.columns - head.length;
  const happened = [level, note].filter((text) => text !== "").join(", ");
  const said = escapeText(happened === "" ? "" : `  ${happened}`);
  // A long title leaves up to half of the line to what happened.
  const { text, width } = clipText(escapeText(` ${id} ${title}`), room - clipText(said, Math.floor(room / 2)).width);
  const behind = clipText(said, room - width).text;
  const dim = state === "failed" ? "red" : "gray";
  return `${paint(head, colour, look)}${state === "open" ? paint(text, "gray", look) : text}${paint(behind, dim, look)}`;
}

const paint = (text: string, colour: "gray" | "cyan" | "yellow" | "green" | "red", look: Look): string =>
  look.colour && text !== "" ? styleText(colour, text, { validateStream: false }) : text;
