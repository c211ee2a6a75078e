import { relative } from "node:path";
import type { Task } from "../../../model/task.ts";
import { escapeText } from "../../../wording/escape-text.ts";
import { describeEvent } from "../../../wording/render-notification.ts";
import { renderSummary } from "../../../wording/render-summary.ts";
import type { Terminal } from "../cli-command.ts";
import type { Reporter } from "./reporter.ts";
import { checkOfAll, growTree, plantTree, type TreeRow, type Work } from "./task-tree.ts";

/**
 * Append lines and never redraw, for pipes, logs and screen readers: one line for each event, and one a minute for work
 * in progress.
 *
 * @param folder Folder to which displayed paths are relative.
 */
export function plainReporter(terminal: Terminal, tasks: readonly Task[], folder: string): Reporter {
  let rows = plantTree(tasks);
  let check: TreeRow | null = null;
  let stopClock = (): void => {};
  /** Minutes already reported. A key consists of the task, the stage, and the time when the work began. */
  const told = new Map<string, number>();
  const tellMinutes = (): void => {
    for (const row of check === null ? rows : [...rows, check]) {
      if (row.state !== "running" || row.work === null) continue;
      const name = `${row.id} ${row.work.stage} ${row.work.since}`;
      const minutes = Math.floor((terminal.now() - row.work.since) / minuteMs);
      const before = told.get(name) ?? 0;
      if (minutes <= before) continue;
      told.set(name, minutes);
      terminal.out(`${escapeText(renderMinutes(row, row.work, minutes, before === 0 ? folder : null))}\n`);
    }
  };
  return {
    event(event) {
      rows = growTree(rows, event);
      check = checkOfAll(check, event);
      if (event.type === "run.ended") {
        stopClock();
        const { out, err } = renderSummary(event, terminal.columns);
        terminal.out(out);
        terminal.err(err);
        return;
      }
      terminal.out(describeEvent(event));
      if (event.type !== "run.started") return;
      stopClock();
      stopClock = terminal.everySecond(tellMinutes);
    },
    close: () => stopClock(),
    hold: () => () => {},
  };
}

const minuteMs = 60_000;

/** @param folder Folder to which the shown path of the output is relative; null if that path was shown before. */
function renderMinutes({ id, note }: TreeRow, { stage, act, output }: Work, minutes: number, folder: string | null) {
  const where = folder === null || output === null || stage === "verify" ? "" : `, output: ${relative(folder, output)}`;
  const doing = stage === "verify" ? `verifying ${id}` : `working on ${id}`;
  return `${doing} for ${minutes}m (${note}${where})${act === "" ? "" : `: ${act}`}`;
}
