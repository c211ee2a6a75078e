import type { RunEvent } from "../../../model/event.ts";
import { escapeText } from "../escape-text.ts";

/** The lines with which a run begins. */
export function renderHeading(started: Extract<RunEvent, { type: "run.started" }>): string {
  const { spec, completed, total, next } = started;
  const from = next === null ? "" : `Starting from task ${escapeText(next)}\n`;
  return `Starting execution for '${escapeText(spec)}'\n\nTasks: ${completed}/${total} completed\n${from}\n`;
}
