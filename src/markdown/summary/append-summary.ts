import type { SummaryEntry } from "../../model/stuck-report.ts";
import { appendItem } from "../progress/append-item.ts";
import { readProgress } from "../progress/progress-section.ts";
import { encodeText } from "../text/encode-text.ts";
import { splitLines, trimBlank } from "../text/line-ending.ts";
import { plainLine } from "../text/plain-line.ts";

export const deviations = "Deviations from Plan";
export const issues = "Issues Encountered";

export const newSummary = "# Summary\n";

/** Maximum length of an adjustment or a justification, in code points. */
const longest = 500;

/**
 * Add the line of a repair to `## Deviations from Plan` of a summary; the line of a skipped task is also added to `##
 * Issues Encountered`. Missing sections, and the title of an empty summary, are created. A line that the section has is
 * not added again.
 *
 * @param entry Its texts are untrusted: each becomes a part of one line. @see docs/formats.md
 */
export function appendSummary(summary: string, entry: SummaryEntry): string {
  const line = encodeText(plainLine(lineOf(entry), 3 * longest), "");
  const started = summary === "" ? newSummary : summary;
  const noted = addLine(started, deviations, [issues], line);
  return entry.kind === "skipped" ? addLine(noted, issues, [], line) : noted;
}

function lineOf(entry: SummaryEntry): string {
  const task = `Task ${plainLine(entry.task, longest)}`;
  switch (entry.kind) {
    case "retried":
      return `[Node Repair - RETRY] ${task}: ${plainLine(entry.adjustment, longest)} - resolved`;
    case "exhausted":
      return `[Node Repair - RETRY] ${task}: ${entry.attempts} attempts exhausted - ${entry.level === null ? "escalated to user" : `${entry.level.toUpperCase()} followed`}`;
    case "decomposed":
      return `[Node Repair - DECOMPOSE] ${task} split into ${entry.parts} sub-tasks - ${passedOf(entry)}`;
    case "skipped":
      return `[${entry.by === "person" ? "Decision - SKIP" : "Node Repair - PRUNE"}] ${task} skipped: ${plainLine(entry.justification, longest)}`;
  }
}

const passedOf = ({ parts, leftOut }: Extract<SummaryEntry, { kind: "decomposed" }>): string =>
  leftOut === 0 ? "all passed" : `${parts - leftOut} passed, ${leftOut} left out`;

function addLine(text: string, heading: string, before: readonly string[], line: string): string {
  const log = readProgress(text);
  const section = log.find(heading);
  if (section !== null && splitLines(log.proseOf(section)).some((stood) => contentOf(stood) === line)) return text;
  return appendItem(text, { heading, before, key: null, line });
}

const contentOf = (line: string): string => trimBlank(trimBlank(line).replace(/^[-*+][ \t]+/, ""));
