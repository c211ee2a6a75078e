import type { Band, Expected, Forecast, PlannedTask } from "../model/forecast.ts";
import { countOf, shorten } from "../model/text.ts";
import { escapeText } from "./escape-text.ts";
import { dollars } from "./render-statistics.ts";
import { renderDuration } from "./render-time.ts";

const longestTitle = 60;
const longestCheck = 80;

/** Render the forecast of a run for people. */
export function renderForecast({ steps, tasks, maxDelegations, projectCheck, expected }: Forecast): string {
  if (tasks === 0) return "Nothing to delegate: no task of the plan is open\n";
  const told = steps.reduce((count, step) => count + step.length, 0);
  return [
    `${countOf(tasks, "task")} to be delegated, at most ${countOf(maxDelegations, "delegation")}:`,
    "",
    ...steps.flatMap((step) =>
      step.length === 1
        ? step.map((task) => tellTask(task, "  ", projectCheck))
        : ["  side by side:", ...step.map((task) => tellTask(task, "    ", projectCheck))],
    ),
    ...(told < tasks ? [`  and ${tasks - told} more`] : []),
    "",
    ...(projectCheck === null ? [] : [escapeText(projectCheck)]),
    ...tellExpected(expected),
    "",
  ].join("\n");
}

/** @param projectCheck Sentence below the list about tasks without a check of their own; null if there is none. */
function tellTask(
  { id, title, check, isForPerson }: PlannedTask,
  indent: string,
  projectCheck: Forecast["projectCheck"],
): string {
  const line = `${indent}${escapeText(`${id} ${shorten(title, longestTitle)}`)}`;
  if (isForPerson) return `${line}: for a person, the run stops here`;
  if (check === null) return projectCheck === null ? `${line}: no check of its own` : line;
  return `${line}: ${escapeText(shorten(check, longestCheck))}`;
}

function tellExpected({ known, costUsd, tokens, ms }: Expected): string[] {
  if (ms === null) {
    return [`No forecast: ${countOf(known, "task")} of earlier runs here, expected at least 5`];
  }
  const band = ({ p50, p90 }: Band, tell: (value: number) => string): string => `${tell(p50)} to ${tell(p90)}`;
  const parts = [
    ...(costUsd === null ? [] : [band(costUsd, dollars)]),
    ...(tokens === null ? [] : [`${band(tokens, (value) => String(Math.round(value)))} tokens`]),
    `${band(ms, (value) => renderDuration(Math.round(value)))} of work`,
  ];
  return [
    `Expected from ${countOf(known, "task")} of earlier runs here, median to 90th percentile:`,
    `  ${parts.join(", ")}`,
  ];
}
