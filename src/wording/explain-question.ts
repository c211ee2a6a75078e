import { detailOf, type Repair } from "../model/directive.ts";
import type { Task, TaskId } from "../model/task.ts";
import { clamp } from "../model/text.ts";

/** A task that failed its verification, and what was done about it. Texts are untrusted. */
export interface QuestionSource {
  readonly task: Pick<Task, "id" | "title">;
  /** The planned task it belongs to; itself when not given. */
  readonly root?: TaskId;
  /** Its Done when or its Verify. */
  readonly expected: string;
  /** What it failed with. */
  readonly actual: string;
  /** Directives that were followed, oldest first; the last ones are told. */
  readonly repairs: readonly Repair[];
}

/** Code points of a text, and repairs that are told. */
const longest = 500;
const mostRepairs = 10;

/** What a person is asked about a task that no repair has helped, as plain text in lines. */
export function explainQuestion({ task, root = task.id, expected, actual, repairs }: QuestionSource): string {
  const told = repairs.slice(-mostRepairs).map(repairLine);
  return [
    `Task ${task.id} failed its verification: ${onOneLine(task.title)}`,
    `Expected: ${onOneLine(expected) || "not stated"}`,
    `Actual: ${onOneLine(actual) || "not stated"}`,
    ...(told.length === 0 ? ["Repairs: none"] : ["Repairs:", ...told]),
    root === task.id ? "Retry, skip or stop?" : `Retry, skip (${task.id} alone), skip-task (all of ${root}) or stop?`,
  ].join("\n");
}

const repairLine = ({ directive }: Repair): string =>
  `${directive.strategy.toUpperCase()}: ${onOneLine(detailOf(directive))}`;

/** A text on one line, without control characters. */
const onOneLine = (text: string): string =>
  clamp(
    text
      .slice(0, 20 * longest)
      .replace(/[\s\p{Cc}]+/gu, " ")
      .trim(),
    longest,
  );
