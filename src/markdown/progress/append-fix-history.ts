import { FixEnd } from "../../model/failure.ts";
import { interpreted } from "../../model/parse-json.ts";
import type { TaskId } from "../../model/task.ts";
import { countOf } from "../../model/text.ts";
import { splitLines } from "../text/line-ending.ts";
import { appendItem } from "./append-item.ts";
import { readProgress } from "./progress-section.ts";

export interface FixHistory {
  readonly task: TaskId;
  readonly fixes: readonly TaskId[];
  /** Superseded fix tasks among `fixes` (default: none). */
  readonly superseded?: readonly TaskId[];
  readonly final: FixEnd;
}

/** A line of `## Fix Task History`, without its bullet. */
interface HistoryLine {
  readonly task: TaskId;
  /** For example `2 fixes attempted (1.1.1, 1.1.2)`. */
  readonly told: string;
  readonly final: FixEnd;
}

export const historySection = { heading: "Fix Task History", before: ["Learnings"] } as const;
const done: ReadonlySet<FixEnd> = new Set(["PASS", "done by hand", "superseded"]);

/**
 * Write the result of a task into `## Fix Task History`. A missing section is created before the first `## Learnings`.
 * An existing line of the task is replaced; without new fixes, the new line repeats the earlier fixes. A task without
 * fixes gets no new line, and `done by hand` does not replace `PASS`.
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

/** Ids of tasks whose last result in the history is not a success. */
export const undoneIn = (progress: string): TaskId[] =>
  historyIn(progress).flatMap(({ task, final }) => (done.has(final) ? [] : [task]));

export const historyIn = (progress: string): HistoryLine[] => placesIn(progress, marker).map(({ line }) => line);

/** Tasks without fixes get no new line in the history. */
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

export const historyLine = ({ task, fixes, superseded = [], final }: FixHistory): string =>
  render({ task, told: tell({ fixes, superseded }), final });

function tell({ fixes, superseded }: Required<Pick<FixHistory, "fixes" | "superseded">>): string {
  const names = fixes.map((fix) => (superseded.includes(fix) ? `${fix} superseded` : fix));
  return `${countOf(fixes.length, "fix", "fixes")} attempted${names.length === 0 ? "" : ` (${names.join(", ")})`}`;
}

const render = ({ task, told, final }: HistoryLine): string => `Task ${task}: ${told}${marker}${final}`;

/**
 * Find the lines of the history.
 *
 * @param words Text that is part of every searched line. A log without this text is not parsed.
 */
function placesIn(progress: string, words: string): { line: HistoryLine; start: number; end: number }[] {
  // Parsing is slow, and the log is read for each task that passes.
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
