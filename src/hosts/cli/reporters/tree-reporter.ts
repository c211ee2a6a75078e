import { relative } from "node:path";
import type { TimedRunEvent } from "../../../model/event.ts";
import { choiceOf } from "../../../model/plan-parts.ts";
import type { Task } from "../../../model/task.ts";
import { escapeText } from "../../../wording/escape-text.ts";
import { type Happening, renderEvent, renderHeading } from "../../../wording/render-event.ts";
import { renderSummary } from "../../../wording/render-summary.ts";
import type { Terminal } from "../cli-command.ts";
import { limitsIn, renderTree, renderTreeWindow, type WorkLimits } from "./render-tree.ts";
import type { Reporter } from "./reporter.ts";
import { checkOfAll, growTree, plantTree, type TreeRow } from "./task-tree.ts";

const sequence = "\u001b[";
// Turn off line wrapping: characters that are wider than counted are cut off instead of moving the lines below.
const wrapOff = `${sequence}?7l`;
const wrapOn = `${sequence}?7h`;
// Erase line by line: some terminals copy the whole screen to the scrollback when the screen is erased at once.
const eraseLine = `${sequence}2K`;
const eraseBelow = `${sequence}J`;

/**
 * Draw the plan as a tree in place, with fix tasks below what they repair, and update the elapsed time every second.
 *
 * @param folder Folder to which displayed paths are relative.
 */
export function treeReporter(terminal: Terminal, tasks: readonly Task[], folder: string): Reporter {
  let rows = plantTree(tasks);
  let check: TreeRow | null = null;
  let current = rows.find(({ state }) => state === "open")?.id;
  let drawn = 0;
  let holds = 0;
  /** Lines to print when drawing resumes; null if no event came while drawing was paused. */
  let missed: string[] | null = null;
  let limits: WorkLimits = {};
  let choice = choiceOf();
  let hasToldOutput = false;
  let stopClock = (): void => {};

  return {
    event(event) {
      rows = growTree(rows, event);
      check = checkOfAll(check, event);
      if (event.type === "run.started") begin(event);
      if (event.type === "task.delegated") current = event.task;
      if (event.type === "run.ended") end(event);
      else if (holds > 0) missed = [...(missed ?? []), ...said(event)];
      else draw(said(event), frame());
    },
    close() {
      stopClock();
      drawn = 0;
      missed = null;
    },
    hold() {
      drawn = 0;
      holds += 1;
      return release;
    },
  };

  function begin(event: Extract<TimedRunEvent, { type: "run.started" }>): void {
    // Erase the rows that earlier notices have drawn.
    if (drawn > 0) terminal.out(`\r${sequence}${drawn}A${eraseBelow}`);
    drawn = 0;
    terminal.out(renderHeading(event));
    limits = limitsIn(event);
    choice = choiceOf(event.policy);
    stopClock();
    stopClock = terminal.everySecond(() => {
      if (holds === 0 && drawn > 0 && (check !== null || rows.some(({ state }) => state === "running")))
        draw([], frame());
    });
  }

  function said(event: Exclude<TimedRunEvent, { type: "run.ended" }>): readonly string[] {
    if (event.type !== "task.delegated" || event.output === undefined || hasToldOutput) return saidOnce(event);
    hasToldOutput = true;
    return [`output: ${escapeText(relative(folder, event.output))}`];
  }

  function release(): void {
    holds -= 1;
    if (holds > 0 || missed === null) return;
    draw(missed, frame());
    missed = null;
  }

  // Draw even while a question occupies the screen: no one will answer it any more.
  function end(event: Extract<TimedRunEvent, { type: "run.ended" }>): void {
    stopClock();
    draw(missed ?? [], renderTree(rows, look()));
    missed = null;
    drawn = 0;
    const { out, err } = renderSummary(event, terminal.columns);
    terminal.out(out);
    terminal.err(err);
  }

  // Leave one row of the screen for the cursor below the frame.
  function frame(): readonly string[] {
    const up = Math.max(
      0,
      rows.findIndex(({ id }) => id === current),
    );
    return renderTreeWindow(rows, up, Math.max(1, terminal.rows - 1), look());
  }

  function look() {
    const { columns, colour } = terminal;
    return { columns, colour, now: terminal.now(), limits, choice, check };
  }

  function draw(staying: readonly string[], lines: readonly string[]): void {
    const back = drawn === 0 ? "" : `${sequence}${drawn}A`;
    const above = staying.map((line) => `${line}\n`).join("");
    const below = lines.map((line) => `${eraseLine}${line}\n`).join("");
    terminal.out(`\r${back}${above === "" ? "" : eraseBelow}${above}${wrapOff}${below}${wrapOn}${eraseBelow}`);
    drawn = lines.length;
  }
}

/** Render lines for events that the rows show only briefly or not at all. */
function saidOnce(event: Exclude<TimedRunEvent, { type: "run.ended" }>): readonly string[] {
  if (event.type === "review.ended") return event.findings === "" ? [] : [renderEvent(event)];
  return isSaid(event) ? [renderEvent(event)] : [];
}

const saidTypes = [
  "executor.chosen",
  "notice",
  "change.refused",
  "repair.refused",
  "run.paused",
  "run.resumed",
] as const;

const isSaid = (event: TimedRunEvent): event is Extract<Happening, { type: (typeof saidTypes)[number] }> =>
  (saidTypes as readonly string[]).includes(event.type);
