import type { RunEvent } from "../../../model/event.ts";
import { countOf } from "../count-of.ts";
import { escapeText } from "../escape-text.ts";

/** One line for what happens between the start and the end of a run. */
export function renderEvent(event: Exclude<RunEvent, { type: "run.started" | "run.ended" }>): string {
  return escapeText(lineOf(event));
}

function lineOf(event: Exclude<RunEvent, { type: "run.started" | "run.ended" }>): string {
  switch (event.type) {
    case "task.delegated":
      return `delegated ${event.task} (attempt ${event.attempt})`;
    case "task.rejected":
      return `rejected ${event.task} by ${event.layer}: ${event.reason}`;
    case "task.failed":
      return `failed ${event.task}: ${event.failure.error}`;
    case "fix.inserted":
      return `fix ${event.fix} inserted below ${event.task} (${event.attempts} of ${event.limit})`;
    case "task.passed": {
      const fixes = event.fixes.length === 0 ? "" : `, ${countOf(event.fixes.length, "fix", "fixes")}`;
      return `passed ${event.task} after ${countOf(event.attempts, "attempt", "attempts")}${fixes}`;
    }
    case "notice":
      return `notice: ${event.message}`;
  }
}
