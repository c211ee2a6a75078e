import { FixEnd } from "../../model/failure.ts";
import { interpreted } from "../../model/parse-json.ts";
import type { TaskId } from "../../model/task.ts";
import { countOf } from "../../model/text.ts";
import { splitLines } from "../text/line-ending.ts";
import { appendItem } from "./append-item.ts";
import { readProgress } from "./progress-section.ts";

/** Result of a task that failed or had fixes. */
export interface FixHistory {
  readonly task: TaskId;
  /** Fix tasks of the task, in order. */
  readonly fixes: readonly TaskId[];
  /** Superseded fix tasks among `fixes` (default: none). */
  readonly superseded?: readonly TaskId[];
  readonly final: FixEnd;
}

/** A line of the history, without its bullet. */
interface HistoryLine {
  readonly task: TaskId;
  /** Number and ids of the fixes, as text. */
  readonly told: string;
  readonly final: FixEnd;
}

/** Section with the results of tasks. */
export const historySection = { heading: "Fix Task History", before: ["Learnings"] } as const;
const done: ReadonlySet<FixEnd> = new Set(["PASS", "done by hand", "superseded"]);

/**
 * Write the result of a task into `## Fix Task History`. A missing section is created before the first `## Learnings`.
 * An existing line of the task is updated, and keeps its fixes if none are given; lines in another form stay. A task
 * without fixes gets no new line, and `PASS` is not replaced by `done by hand`.
 */
export function appendFixHistory(progress: string, { task, fixes, superseded = [], final }: FixHistory): string {
  const standing = placesIn(progress, `Task ${task}: `).find(({ line }) => line.task === task);
  if (standing === undefined && needsNoHistory({ fixes })) return progress;
  if (standing?.line.final === "PASS" && final === "done by hand") return progress;
  const told = tell({ fixes, superseded });
  if (standing === undefined) {
    return appendItem(progress, { ...historySection, key: task, line: render({ task, told, final }) });
  }
  const line = render({ task, told: fixes.length === 0 ? standing.line.told : told, final });
  return `${progress.slice(0, standing.start)}${line}${progress.slice(standing.end)}`;
}

/** Tasks that are not done according to the history. */
export const undoneIn = (progress: string): TaskId[] =>
  historyIn(progress).flatMap(({ task, final }) => (done.has(final) ? [] : [task]));

/** Read the lines of the history. */
export const historyIn = (progress: string): HistoryLine[] => placesIn(progress, marker).map(({ line }) => line);

/** Whether a task gets no new line in the history. */
export const needsNoHistory = ({ fixes }: Pick<FixHistory, "fixes">): boolean => fixes.length === 0;

const written = /^Task (\S+): (\d+ fix(?:es)? attempted(?: \([^()]*\))?)$/;
const marker = " - Final: ";

/** Parse a line of the history, without its bullet; null if it has another form. */
export function readHistoryLine(line: string): HistoryLine | null {
  const at = line.indexOf(marker);
  const found = written.exec(line.slice(0, at));
  const final = FixEnd.safeParse(line.slice(at + marker.length), interpreted);
  if (found === null || !final.success) return null;
  const [, task, told] = found as unknown as [string, string, string];
  return { task, told, final: final.data };
}

/** Write the line of a task that is not in the history yet, without its bullet. */
export const historyLine = ({ task, fixes, superseded = [], final }: FixHistory): string =>
  render({ task, told: tell({ fixes, superseded }), final });

function tell({ fixes, superseded }: Required<Pick<FixHistory, "fixes" | "superseded">>): string {
  const names = fixes.map((fix) => (superseded.includes(fix) ? `${fix} superseded` : fix));
  return `${countOf(fixes.length, "fix", "fixes")} attempted${names.length === 0 ? "" : ` (${names.join(", ")})`}`;
}

const render = ({ task, told, final }: HistoryLine): string => `Task ${task}: ${told}${marker}${final}`;

/**
 * Find the lines of the history, without their bullets. @param words A text that every log with such lines contains.
 */
function placesIn(progress: string, words: string): { line: HistoryLine; start: number; end: number }[] {
  // A quick check first, since the log is read for each task that passes.
  if (!progress.includes(words)) return [];
  return readProgress(progress)
    .findAll(historySection.heading)
    .flatMap((section) => {
      let end = section.start;
      return splitLines(progress.slice(section.start, section.end)).flatMap((whole) => {
        const from = end;
        end += whole.length + (progress.startsWith("\r\n", from + whole.length) ? 2 : 1);
        const text = whole.replace(/^[ \t]*[-*+] /, "");
        const line = readHistoryLine(text);
        return line === null ? [] : [{ line, start: from + whole.length - text.length, end: from + whole.length }];
      });
    });
}
