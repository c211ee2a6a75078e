import type { TaskId } from "../../model/task.ts";
import { encodeText } from "../text/encode-text.ts";
import { plainLine } from "../text/plain-line.ts";
import { appendItem } from "./append-item.ts";

/** A task that passed. Title and commit are untrusted. */
export interface Completed {
  readonly task: TaskId;
  readonly title: string;
  /** Abbreviated hash; null when none is known. */
  readonly commit: string | null;
}

/** Where completed tasks are told. */
export const completedSection = { heading: "Completed Tasks", before: ["Fix Task History", "Learnings"] } as const;

const longest = 200;

/**
 * Add the line of a passed task to `## Completed Tasks`, which is made at the end, but before the sections that
 * follow it, when it is missing. The same text when a line of that task stands there.
 */
export const appendCompleted = (progress: string, completed: Completed): string =>
  appendItem(progress, { ...completedSection, key: completed.task, line: completedLine(completed) });

/** The line of a passed task, without its bullet. */
export function completedLine({ task, title, commit }: Completed): string {
  const text = encodeText(plainLine(title, longest), `x ${task} `);
  const hash = commit === null ? "" : ` - ${encodeText(plainLine(commit, longest), "x - ")}`;
  return `[x] ${task} ${text}${hash}`.trimEnd();
}
