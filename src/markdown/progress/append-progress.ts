import type { TaskId } from "../../model/task-id.ts";
import { encodeText } from "../text/encode-text.ts";
import { plainLine } from "../text/plain-line.ts";
import { appendItem } from "./append-item.ts";

/** How the recovery of a task ended. */
export interface FixHistory {
  readonly task: TaskId;
  /** The fix tasks it took, in order. */
  readonly fixes: readonly TaskId[];
  /** Those among them that another one has taken the place of (none when not given). */
  readonly superseded?: readonly TaskId[];
  readonly final: "PASS" | "FAIL (max limit)";
}

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
 * `## Learnings` when it is missing. The same text when a line of that task stands there.
 */
export function appendFixHistory(progress: string, { task, fixes, superseded = [], final }: FixHistory): string {
  const count = `${fixes.length} ${fixes.length === 1 ? "fix" : "fixes"} attempted`;
  const told = fixes.map((fix) => (superseded.includes(fix) ? `${fix} superseded` : fix));
  const line = `Task ${task}: ${count} (${told.join(", ")}) - Final: ${final}`;
  return appendItem(progress, { heading: "Fix Task History", before: ["Learnings"], key: task, line });
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
