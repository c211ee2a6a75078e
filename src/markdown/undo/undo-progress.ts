import type { TaskId } from "../../model/task-id.ts";
import { appendCompleted } from "../progress/append-progress.ts";
import { appendSuggestion } from "../progress/append-suggestion.ts";
import { readProgress } from "../progress/progress-section.ts";
import { splitLines } from "../text/line-ending.ts";

/** What a run has written into a progress log, a line each. */
export interface LoggedLines {
  readonly passed: readonly { readonly task: TaskId; readonly title: string; readonly commit: string | null }[];
  /** Tasks that fix tasks were made for. */
  readonly fixed: readonly TaskId[];
  readonly suggestions: readonly { readonly task: TaskId; readonly text: string }[];
}

/** The lines of a run in a progress log, and the log without them. Sections that only a run makes go with their last line. */
export function undoProgress(
  progress: string,
  { passed, fixed, suggestions }: LoggedLines,
): { readonly after: string; readonly removed: readonly string[] } {
  const completed = new Set(passed.flatMap((pass) => itemsIn(appendCompleted("", pass))));
  const suggested = new Set(suggestions.flatMap((suggestion) => itemsIn(appendSuggestion("", suggestion))));
  const isHistory = (line: string): boolean =>
    fixed.some((task) => line.startsWith(`Task ${task}: `)) &&
    / fix(?:es)? attempted \(/.test(line) &&
    /\) - Final: (?:PASS|FAIL \(max limit\)|done by hand)$/.test(line);
  const removed: string[] = [];
  const take = (text: string, title: string, isOwn: (line: string) => boolean, isMade: boolean): string =>
    readProgress(text)
      .findAll(title)
      .reverse()
      .reduce((log, { start, end }) => {
        const lines = linesWithEnds(log.slice(start, end));
        const kept = lines.filter((line) => !isOwn(contentOf(line)));
        if (kept.length === lines.length) return log;
        removed.push(...lines.filter((line) => isOwn(contentOf(line))).map((line) => line.trim()));
        const isEmpty = isMade && kept.slice(1).every((line) => line.trim() === "");
        const behind = log.slice(end);
        if (!isEmpty) return `${log.slice(0, start)}${kept.join("").trimEnd()}${behind}`;
        return `${log.slice(0, start).trimEnd()}${behind}`;
      }, text);
  const withoutPassed = take(progress, "Completed Tasks", (line) => completed.has(line), false);
  const withoutFixed = take(withoutPassed, "Fix Task History", isHistory, true);
  const after = take(withoutFixed, "Review Suggestions", (line) => suggested.has(line), true);
  return { after, removed };
}

/** Items of a log, without their bullets. */
const itemsIn = (log: string): string[] =>
  splitLines(log)
    .filter((line) => /^[-*+] /.test(line))
    .map(contentOf);

const contentOf = (line: string): string => line.trim().replace(/^[-*+][ \t]+/, "");

const linesWithEnds = (text: string): string[] =>
  Array.from(text.matchAll(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g), ([line]) => line);
