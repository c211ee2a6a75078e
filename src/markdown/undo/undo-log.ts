import type { SummaryEntry } from "../../model/stuck-report.ts";
import type { TaskId } from "../../model/task.ts";
import { appendCompleted, appendSuggestion, shippedSection, shippedStart } from "../progress/append-entry.ts";
import { historySection, readHistoryLine } from "../progress/append-fix-history.ts";
import { readProgress } from "../progress/progress-section.ts";
import { type RealityAfter, withoutRealityAfter } from "../progress/reality-check.ts";
import { appendSummary, deviations, issues, newSummary } from "../summary/append-summary.ts";
import { linesWithEnds, splitLines } from "../text/line-ending.ts";

export interface LoggedLines {
  readonly passed: readonly { readonly task: TaskId; readonly title: string; readonly commit: string | null }[];
  readonly tried: readonly TaskId[];
  readonly suggestions: readonly { readonly task: TaskId; readonly text: string }[];
  /** Numbers of the pull requests in the run's lines; null for a line without a number. */
  readonly shipped: readonly (number | null)[];
  readonly reality: readonly Omit<RealityAfter, "output">[];
}

/** Remove the lines of a run from a progress log. A section that only runs create is removed with its last line. */
export function undoProgress(
  progress: string,
  { passed, tried, suggestions, shipped, reality }: LoggedLines,
): { readonly after: string; readonly removed: readonly string[] } {
  const completed = new Set(passed.flatMap((pass) => itemsIn(appendCompleted("", pass))));
  const suggested = new Set(suggestions.flatMap((suggestion) => itemsIn(appendSuggestion("", suggestion))));
  const isHistory = (line: string): boolean => tried.includes(readHistoryLine(line)?.task ?? "");
  const isShipped = (line: string): boolean => shipped.some((number) => line.startsWith(shippedStart(number)));
  const { after, removed } = takeLines(progress, [
    { title: "Completed Tasks", isOwn: (line) => completed.has(line), isMade: false },
    { title: historySection.heading, isOwn: isHistory, isMade: true },
    { title: "Review Suggestions", isOwn: (line) => suggested.has(line), isMade: true },
    { title: shippedSection.heading, isOwn: isShipped, isMade: true },
  ]);
  const unchecked = withoutRealityAfter(after, reality);
  return { after: unchecked, removed: unchecked === after ? removed : [...removed, "## Reality Check (AFTER)"] };
}

/**
 * Remove the lines of a run from a summary; `after` is null if nothing else is left.
 *
 * @param entries All entries that the run may have written.
 */
export function undoSummary(
  summary: string,
  entries: readonly SummaryEntry[],
): { readonly after: string | null; readonly removed: readonly string[] } {
  const own = new Set(entries.flatMap((entry) => itemsIn(appendSummary("", entry))));
  const isOwn = (line: string): boolean => own.has(line);
  const { after, removed } = takeLines(
    summary,
    [issues, deviations].map((title) => ({ title, isOwn, isMade: true })),
  );
  return { after: removed.length > 0 && after === newSummary ? null : after, removed };
}

interface Taken {
  readonly title: string;
  /** Whether to remove a line. The line is given without its bullet. */
  readonly isOwn: (line: string) => boolean;
  /** Whether only a run creates the section: it is removed with its last line. */
  readonly isMade: boolean;
}

function takeLines(
  log: string,
  sections: readonly Taken[],
): { readonly after: string; readonly removed: readonly string[] } {
  const removed: string[] = [];
  const take = (text: string, { title, isOwn, isMade }: Taken): string =>
    readProgress(text)
      .findAll(title)
      .reverse()
      .reduce((rest, { start, end }) => {
        const lines = linesWithEnds(rest.slice(start, end));
        const kept = lines.filter((line) => !isOwn(contentOf(line)));
        if (kept.length === lines.length) return rest;
        removed.push(...lines.filter((line) => isOwn(contentOf(line))).map((line) => line.trim()));
        const isEmpty = isMade && kept.slice(1).every((line) => line.trim() === "");
        const behind = rest.slice(end);
        if (!isEmpty) return `${rest.slice(0, start)}${kept.join("").trimEnd()}${behind}`;
        return `${rest.slice(0, start).trimEnd()}${behind}`;
      }, text);
  return { after: sections.reduce(take, log), removed };
}

const itemsIn = (log: string): string[] =>
  splitLines(log)
    .filter((line) => /^[-*+] /.test(line))
    .map(contentOf);

const contentOf = (line: string): string => line.trim().replace(/^[-*+][ \t]+/, "");
