import type { TaskId } from "../../model/task.ts";
import { appendCompleted } from "../progress/append-completed.ts";
import { historySection, readHistoryLine } from "../progress/append-fix-history.ts";
import { shippedSection, shippedStart } from "../progress/append-shipped.ts";
import { appendSuggestion } from "../progress/append-suggestion.ts";
import { type RealityAfter, withoutRealityAfter } from "../progress/write-reality-after.ts";
import { itemsIn, takeLines } from "./take-lines.ts";

/** What a run has written into a progress log. */
export interface LoggedLines {
  readonly passed: readonly { readonly task: TaskId; readonly title: string; readonly commit: string | null }[];
  /** Tasks that executors have worked on. */
  readonly tried: readonly TaskId[];
  readonly suggestions: readonly { readonly task: TaskId; readonly text: string }[];
  /** Numbers of the pull requests of which it has told; null: that there was none. */
  readonly shipped: readonly (number | null)[];
  /** Reality checks that were run once the work was done. */
  readonly reality: readonly Omit<RealityAfter, "output">[];
}

/** What a run has written into a progress log, and the log without it. Sections that only a run makes go with their last line. */
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
