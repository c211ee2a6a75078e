import type { TaskFields, TaskId } from "./task.ts";

/** A text of somebody else that a task is about. Untrusted and as it came in. */
export interface Quote {
  /** What it is, in a sentence of our own. */
  readonly label: string;
  readonly text: string;
}

/** A task to be written into a plan. Every text is untrusted and as it came in; the markdown room encodes it. */
export interface NewTask {
  readonly id: TaskId;
  /** Without brackets, as in `Task.markers`. */
  readonly markers: readonly string[];
  readonly title: string;
  readonly fields: TaskFields;
  /** Each stands with its lines in a fence below Do. Default: none. */
  readonly quotes?: readonly Quote[];
}

/**
 * Tasks to be inserted beside a task of a plan. Behind it, with a tick, its parts; before it, what it needs first;
 * behind it, what follows from it.
 */
export interface PlanChange {
  readonly task: TaskId;
  /** Directly before its block, or behind its block and its fix tasks. */
  readonly place: "before" | "behind";
  /** In the order in which they are to stand; at least one. */
  readonly tasks: readonly NewTask[];
  /** Whether its box is ticked, too. Default: false. */
  readonly tick?: boolean;
}
