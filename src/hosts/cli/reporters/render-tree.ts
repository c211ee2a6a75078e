import { styleText } from "node:util";
import type { RunEvent } from "../../../model/event.ts";
import { type AsideChoice, countDone } from "../../../model/plan-parts.ts";
import { countOf } from "../../../model/text.ts";
import { clipText, escapeText } from "../../../wording/escape-text.ts";
import { renderDuration } from "../../../wording/render-time.ts";
import type { Terminal } from "../cli-command.ts";
import { isBusy, isPart, type TreeRow, type Work } from "./task-tree.ts";

const looks = {
  open: { glyph: "○", colour: "gray" },
  running: { glyph: "▶", colour: "cyan" },
  waiting: { glyph: "◔", colour: "yellow" },
  passed: { glyph: "✔", colour: "green" },
  failed: { glyph: "✖", colour: "red" },
  skipped: { glyph: "⊘", colour: "yellow" },
  superseded: { glyph: "⤳", colour: "gray" },
} as const;

interface Look extends Pick<Terminal, "columns" | "colour">, WorkTime {
  /** Row for the check of several tasks; null unless that check runs. */
  readonly check: TreeRow | null;
  readonly choice: AsideChoice;
}

/** Render all rows of a tree and a summary line with the final check, none wider than the terminal. */
export function renderTree(rows: readonly TreeRow[], look: Look): readonly string[] {
  const tasks = rows.filter((row) => !isPart(row));
  const { completed, total } = countDone(
    tasks.map((row) => ({ ...row, done: row.state === "passed" })),
    look.choice,
  );
  const fixes = tasks.filter(({ fixOf }) => fixOf !== null).length;
  const skipped = tasks.filter(({ state, fixOf }) => state === "skipped" && fixOf === null).length;
  const count = [
    `${completed}/${total} completed`,
    ...(fixes === 0 ? [] : [countOf(fixes, "fix", "fixes")]),
    ...(skipped === 0 ? [] : [`${skipped} skipped`]),
    ...(look.check === null ? [] : [escapeText(renderWork(look.check, look))]),
  ].join(", ");
  return [...rows.map((row) => renderRow(row, look)), paint(clipText(count, look.columns).text, "gray", look)];
}

/**
 * Render the part of a tree around the current row and all busy rows, in at most `height` lines, with the number of
 * hidden rows.
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
  // Fewer than 4 lines have no room for the two lines that count hidden rows.
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
  // A long title leaves up to half of the line for the note.
  const { text, width } = clipText(escapeText(` ${id} ${title}`), room - clipText(said, Math.floor(room / 2)).width);
  const behind = clipText(said, room - width).text;
  const dim = state === "failed" ? "red" : "gray";
  return `${paint(head, colour, look)}${state === "open" ? paint(text, "gray", look) : text}${paint(behind, dim, look)}`;
}

const paint = (text: string, colour: "gray" | "cyan" | "yellow" | "green" | "red", look: Look): string =>
  look.colour && text !== "" ? styleText(colour, text, { validateStream: false }) : text;

/**
 * Choose which of `count` rows to show in `room` lines: the wanted rows as far as there is room, then their neighbours.
 * A gap between two shown rows takes a line.
 *
 * @param wanted Indices of rows. The first row is kept longest; rows far from the first row are dropped before near
 * rows.
 * @returns Indices in ascending order.
 */
function chooseRows(count: number, wanted: readonly number[], room: number): readonly number[] {
  const [first = 0] = wanted;
  const nearest = [...wanted].sort((one, other) => Math.abs(one - first) - Math.abs(other - first));
  let shown: readonly number[] = [];
  const add = (index: number): void => {
    if (index < 0 || index >= count || shown.includes(index)) return;
    const more = [...shown, index].sort((one, other) => one - other);
    if (linesOf(more) <= room) shown = more;
  };
  nearest.forEach(add);
  const seeds = nearest.filter((index) => shown.includes(index));
  for (let far = 1; far <= room; far += 1) {
    for (const index of seeds) {
      add(index - far);
      add(index + far);
    }
  }
  return shown;
}

const linesOf = (indices: readonly number[]): number =>
  indices.length + indices.filter((index, place) => place > 0 && index - (indices[place - 1] ?? 0) > 1).length;

/** Time limit of each stage of an attempt, in milliseconds. */
export type WorkLimits = Partial<Record<Work["stage"], number>>;

interface WorkTime {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly limits: WorkLimits;
}

export const limitsIn = ({ policy }: Extract<RunEvent, { type: "run.started" }>): WorkLimits => ({
  work: policy.taskTimeout,
  verify: policy.verifyTimeout,
});

/** Describe the work on a task: `attempt 1 · 0:14 of 30m · Bash npm test`. */
function renderWork({ note, work }: Pick<TreeRow, "note" | "work">, { now, limits }: WorkTime): string {
  if (work === null) return note;
  const { stage, since, act } = work;
  const limit = limits[stage];
  const time = `${renderClock(now - since)}${limit === undefined ? "" : ` of ${renderDuration(limit)}`}`;
  return [note, stage === "verify" ? `Verify ${time}` : time, ...(act === "" ? [] : [act])].join(" · ");
}

/** Render elapsed time as a clock: `0:14`, `1:02:03`. Negative time, after the system clock was set back, is 0. */
function renderClock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const [first, ...rest] = parts[0] === 0 ? parts.slice(1) : parts;
  return [first, ...rest.map((part) => String(part).padStart(2, "0"))].join(":");
}
