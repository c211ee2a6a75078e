import { FixEnd } from "../../model/failure.ts";
import { interpreted } from "../../model/interpreted.ts";
import type { TaskId } from "../../model/task.ts";
import { countOf } from "../../model/text.ts";
import { splitLines } from "../text/line-ending.ts";
import { appendItem } from "./append-item.ts";
import { readProgress } from "./progress-section.ts";

/** What has become of a task that failed or had fixes. */
export interface FixHistory {
  readonly task: TaskId;
  /** The fix tasks it took, in order. */
  readonly fixes: readonly TaskId[];
  /** Those among them that another one has taken the place of (none when not given). */
  readonly superseded?: readonly TaskId[];
  readonly final: FixEnd;
}

/** A line of the history, without its bullet. */
interface HistoryLine {
  readonly task: TaskId;
  /** How many fixes it tells of, and which. */
  readonly told: string;
  readonly final: FixEnd;
}

/** Where it is told what became of tasks. */
export const historySection = { heading: "Fix Task History", before: ["Learnings"] } as const;
const done: ReadonlySet<FixEnd> = new Set(["PASS", "done by hand", "superseded"]);

/**
 * Tell in `## Fix Task History` what has become of a task. The section is made before the first `## Learnings` when it
 * is missing. The line of the task is renewed where it stands, and keeps its fixes when none are given; that of somebody
 * else, in other words, stays. A task without a fix that has no line needs none; and what has passed is not done by
 * hand.
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

/** Tasks of which the history says that they are not done. */
export const undoneIn = (progress: string): TaskId[] =>
  historyIn(progress).flatMap(({ task, final }) => (done.has(final) ? [] : [task]));

/** What the history says of tasks. */
export const historyIn = (progress: string): HistoryLine[] => placesIn(progress, marker).map(({ line }) => line);

/** Whether a task of which the history says nothing needs no line. */
export const needsNoHistory = ({ fixes }: Pick<FixHistory, "fixes">): boolean => fixes.length === 0;

const written = /^Task (\S+): (\d+ fix(?:es)? attempted(?: \([^()]*\))?)$/;
const marker = " - Final: ";

/** Read a line of the history, without its bullet; null for one in other words. */
export function readHistoryLine(line: string): HistoryLine | null {
  const at = line.indexOf(marker);
  const found = written.exec(line.slice(0, at));
  const final = FixEnd.safeParse(line.slice(at + marker.length), interpreted);
  if (found === null || !final.success) return null;
  const [, task, told] = found as unknown as [string, string, string];
  return { task, told, final: final.data };
}

/** The line of a task that has none yet, without its bullet. */
export const historyLine = ({ task, fixes, superseded = [], final }: FixHistory): string =>
  render({ task, told: tell({ fixes, superseded }), final });

function tell({ fixes, superseded }: Required<Pick<FixHistory, "fixes" | "superseded">>): string {
  const names = fixes.map((fix) => (superseded.includes(fix) ? `${fix} superseded` : fix));
  return `${countOf(fixes.length, "fix", "fixes")} attempted${names.length === 0 ? "" : ` (${names.join(", ")})`}`;
}

const render = ({ task, told, final }: HistoryLine): string => `Task ${task}: ${told}${marker}${final}`;

/** The lines of the history and where they stand, without their bullets. @param words What a log without them lacks. */
function placesIn(progress: string, words: string): { line: HistoryLine; start: number; end: number }[] {
  // A log is read for each task that passes.
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
