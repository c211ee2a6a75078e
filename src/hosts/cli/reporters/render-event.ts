import type { RunEvent, TimedRunEvent } from "../../../model/event.ts";
import { clipText } from "../clip-text.ts";
import { countOf } from "../count-of.ts";
import { escapeText } from "../escape-text.ts";
import { renderWait } from "./render-wait.ts";

/** Columns that what a reviewer found may take in its line. */
const findingsWidth = 300;

type Happening = Exclude<TimedRunEvent, { type: "run.started" | "run.ended" }>;

/** One line for what happens between the start and the end of a run. */
export const renderEvent = (event: Happening): string => escapeText(lineOf(event));

function lineOf(event: Happening): string {
  switch (event.type) {
    case "task.delegated":
      return event.role === "reviewer"
        ? `delegated the review of ${event.task} (round ${event.attempt})`
        : `delegated ${event.task} (attempt ${event.attempt})`;
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
    case "review.ended": {
      const found = event.findings === "" ? "" : `: ${clipText(event.findings, findingsWidth).text}`;
      return `review of ${event.task} ${event.passed ? "passed" : "ended with findings"} (round ${event.round})${found}`;
    }
    case "plan.changed":
      return changeLine(event);
    case "change.refused":
      return `refused the change of the plan that ${event.task} asks for: ${event.reason}`;
    case "group.started":
      return `began ${event.tasks.join(", ")} side by side`;
    case "group.ended":
      return `ended ${event.tasks.join(", ")}`;
    case "waiting":
      return `${renderWait(event)} (task ${event.task})`;
    case "notice":
      return `notice: ${event.message}`;
  }
}

function changeLine({ task, change, added }: Extract<RunEvent, { type: "plan.changed" }>): string {
  const tasks = added.join(", ");
  switch (change) {
    case "SPLIT_TASK":
      return `split ${task} into ${tasks}`;
    case "ADD_PREREQUISITE":
      return `added ${tasks} before ${task}`;
    case "ADD_FOLLOWUP":
      return `added ${tasks} after ${task}`;
  }
}
