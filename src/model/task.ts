import type { TaskRole } from "./role.ts";
import type { TaskId } from "./task-id.ts";

/** The fields below a task's title, as written there; undefined where the task has none. */
export interface TaskFields {
  /** Text and numbered steps. */
  readonly do?: string;
  /** Comma-separated paths or a list. */
  readonly files?: string;
  readonly doneWhen?: string;
  /** One line, inline code or a fence. */
  readonly verify?: string;
  readonly commit?: string;
}

/** One task of a plan. Offsets are UTF-16 code units into the document it was read from. */
export interface Task {
  readonly id: TaskId;
  /** The title without id and markers. */
  readonly title: string;
  /** Bracketed words behind the id, without brackets: `P`, `VERIFY`, `FIX 1.3`, `US1`. */
  readonly markers: readonly string[];
  readonly done: boolean;
  /** Text of the heading that groups it, null above the first. */
  readonly phase: string | null;
  readonly fields: TaskFields;
  /** The task that a `[FIX <id>]` marker names, else null. */
  readonly fixOf: TaskId | null;
  /** The task whose block it stands in, null for one that stands in none. */
  readonly parent: TaskId | null;
  /** Line of its box, counted from 1. */
  readonly line: number;
  /** Its block: from its bullet to the end of its last line, line ending excluded. */
  readonly start: number;
  readonly end: number;
  /** Offset of the character between the brackets of its box. */
  readonly box: number;
}

/** `[VERIFY]` tasks go to the verifier, all others to the executor. */
export const roleOf = (task: Pick<Task, "markers">): TaskRole =>
  task.markers.includes("VERIFY") ? "verifier" : "executor";
