import type { TaskId } from "../../model/task-id.ts";
import { countEndings, dominantEnding, splitLines } from "../text/line-ending.ts";
import { behind, margin } from "./add-to-section.ts";
import { type Completed, completedLine, completedSection } from "./append-completed.ts";
import { historyIn } from "./append-fix-history.ts";
import { readProgress } from "./progress-section.ts";

/** The one place of a log where the lines of passed tasks go, one behind the other: nothing else has to be read again. */
export interface CompletedLines {
  /** Offset of the next line. */
  readonly at: number;
  /** What stands before its text: a line ending, indentation and a bullet. */
  readonly start: string;
  /** What stands behind it. */
  readonly rest: string;
  /** What the lines of the section begin with, in lower case. */
  readonly begun: Set<string>;
  /** Tasks of which the history says what became of their fixes. */
  readonly history: ReadonlySet<TaskId>;
}

/** Find that place; null in a log where a line of a list there may mean something else, or that has no such list yet. */
export function findCompletedLines(text: string): CompletedLines | null {
  const log = readProgress(text);
  const section = log.find(completedSection.heading);
  if (!log.isPlain || section?.endsWith !== "list") return null;
  const ending = dominantEnding(countEndings(text));
  if (behind(text, section.end, ending) !== "") return null;
  return {
    at: section.end,
    start: `${ending}${margin(text, section.end)}${section.bullet} `,
    rest: text.slice(section.end),
    begun: new Set(splitLines(text.slice(section.start, section.end)).flatMap(beginningsOf)),
    history: new Set(historyIn(text).map(({ task }) => task)),
  };
}

/** What is to be inserted for a task that passed; empty when its line stands there; null when that cannot be told. */
export function completedInsertion({ start, begun }: CompletedLines, completed: Completed): string | null {
  const key = completed.task.toLowerCase();
  if (key.match(word)?.[0] !== key) return null;
  return begun.has(key) ? "" : `${start}${completedLine(completed)}`;
}

/** The place behind a line that was inserted. */
export function behindCompleted(lines: CompletedLines, { task }: Completed, inserted: string): CompletedLines {
  lines.begun.add(task.toLowerCase());
  return { ...lines, at: lines.at + inserted.length };
}

/** An id: what ends it is no part of a longer one. */
const word = /^[\w-]+(?:\.[\w-]+)*/;
const item = /^[ \t]*[-*+][ \t]+(?:\[[ xX]\][ \t]+)?(?:\*\*)?/;

/** What may be the id in a line: its first word, and the one behind the word "Task". */
function beginningsOf(line: string): string[] {
  const plain = line.replaceAll("\\", "").toLowerCase();
  const bullet = item.exec(plain)?.[0];
  if (bullet === undefined) return [];
  const said = plain.slice(bullet.length);
  return [said, said.replace(/^task[ \t]+/, "")].flatMap((text) => word.exec(text)?.[0] ?? []);
}
