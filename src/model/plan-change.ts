import type { TaskFields, TaskId } from "./task.ts";

/** A text that a task is about and that someone else wrote. Untrusted and raw. */
export interface Quote {
  /** Description of the text, in our own words. */
  readonly label: string;
  readonly text: string;
}

/** A task to be written into a plan. All texts are untrusted and raw; `src/markdown` encodes them. */
export interface NewTask {
  readonly id: TaskId;
  /** Without brackets, as in `Task.markers`. */
  readonly markers: readonly string[];
  readonly title: string;
  readonly fields: TaskFields;
  /** Quotes, each in a fence of its own below `Do`; none if not given. */
  readonly quotes?: readonly Quote[];
}

/**
 * Tasks to insert next to a task of a plan: prerequisites before it, follow-ups and parts (together with a tick of the
 * task) after it.
 */
export interface PlanChange {
  readonly task: TaskId;
  /** Place of the new tasks: directly before the task's block, or after its block and its fix tasks. */
  readonly place: "before" | "behind";
  /** In plan order; at least one. */
  readonly tasks: readonly NewTask[];
  /** Whether to tick the task's box. Default: false. */
  readonly tick?: boolean;
}
