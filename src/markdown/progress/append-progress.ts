import { countOf } from "../../model/count-of.ts";
import type { FixEnd } from "../../model/fix-task.ts";
import type { TaskId } from "../../model/task-id.ts";
import { encodeText } from "../text/encode-text.ts";
import { splitLines } from "../text/line-ending.ts";
import { plainLine } from "../text/plain-line.ts";
import { appendItem } from "./append-item.ts";
import { readProgress } from "./progress-section.ts";

/** How the recovery of a task ended. */
export interface FixHistory {
  readonly task: TaskId;
  /** The fix tasks it took, in order. */
  readonly fixes: readonly TaskId[];
  /** Those among them that another one has taken the place of (none when not given). */
  readonly superseded?: readonly TaskId[];
  readonly final: FixEnd;
}

const stopped: FixEnd = "FAIL (max limit)";

/** A task that passed. Title and commit are untrusted. */
export interface Completed {
  readonly task: TaskId;
  readonly title: string;
  /** Abbreviated hash; null when none is known. */
  readonly commit: string | null;
}

const longest = 200;

/**
 * Add the line of a recovered or given-up task to `## Fix Task History`, which is made before the first
 * `## Learnings` when it is missing. The same text when a line of that task stands there; but one that says that a
 * limit stopped it is replaced once it is done.
 */
export function appendFixHistory(progress: string, { task, fixes, superseded = [], final }: FixHistory): string {
  const count = `${countOf(fixes.length, "fix", "fixes")} attempted`;
  const told = fixes.map((fix) => (superseded.includes(fix) ? `${fix} superseded` : fix));
  const line = `Task ${task}: ${count} (${told.join(", ")}) - Final: ${final}`;
  const heading = "Fix Task History";
  const before = final === stopped ? null : stoppedLine(progress, heading, task);
  if (before !== null) return `${progress.slice(0, before.start)}${line}${progress.slice(before.end)}`;
  return appendItem(progress, { heading, before: ["Learnings"], key: task, line });
}

/** Where the line stands that says of a task that a limit stopped it, without its bullet; null when there is none. */
function stoppedLine(progress: string, heading: string, task: TaskId): { start: number; end: number } | null {
  if (!progress.includes(stopped)) return null;
  const log = readProgress(progress);
  for (const section of log.findAll(heading)) {
    let start = section.start;
    for (const line of splitLines(progress.slice(section.start, section.end))) {
      const text = line.replace(/^[ \t]*[-*+] /, "");
      const isOwn = text.startsWith(`Task ${task}: `) && text.endsWith(` - Final: ${stopped}`);
      if (isOwn) return { start: start + line.length - text.length, end: start + line.length };
      start += line.length + (progress.startsWith("\r\n", start + line.length) ? 2 : 1);
    }
  }
  return null;
}

/**
 * Add the line of a passed task to `## Completed Tasks`, which is made at the end, but before the sections that
 * follow it, when it is missing. The same text when a line of that task stands there.
 */
export function appendCompleted(progress: string, { task, title, commit }: Completed): string {
  const text = encodeText(plainLine(title, longest), `x ${task} `);
  const hash = commit === null ? "" : ` - ${encodeText(plainLine(commit, longest), "x - ")}`;
  const line = `[x] ${task} ${text}${hash}`.trimEnd();
  const before = ["Fix Task History", "Learnings"];
  return appendItem(progress, { heading: "Completed Tasks", before, key: task, line });
}
