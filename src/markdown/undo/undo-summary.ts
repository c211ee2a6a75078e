import type { SummaryEntry } from "../../model/stuck-report.ts";
import { appendSummary, deviations, issues, newSummary } from "../summary/append-summary.ts";
import { itemsIn, takeLines } from "./take-lines.ts";

/**
 * The lines of a run in a summary, and the summary without them; null when nothing else stands in it.
 *
 * @param entries All that the run may have written.
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
