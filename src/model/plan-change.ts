import type { TaskFields, TaskId } from "./task.ts";

/** Text by another author that a task is about. Untrusted, and not yet encoded for markdown. */
export interface Quote {
  /** Description of the text, written by fixpoint. */
  readonly label: string;
  readonly text: string;
}

/** A task to write into a plan. All texts are untrusted and not yet encoded for markdown. */
export interface NewTask {
  readonly id: TaskId;
  /** Without brackets, as in `Task.markers`. */
  readonly markers: readonly string[];
  readonly title: string;
  readonly fields: TaskFields;
  /** Each quote becomes a fence below `Do`; not given if there are no quotes. */
  readonly quotes?: readonly Quote[];
}

/** Tasks to insert next to a task: prerequisites before it; follow-ups and parts after it. */
export interface PlanChange {
  readonly task: TaskId;
  /** `before`: directly before the task; `behind`: after the task and its fix tasks. */
  readonly place: "before" | "behind";
  /** In plan order; at least one. */
  readonly tasks: readonly NewTask[];
  /** Whether to tick the task, as for a task that was split. Default: false. */
  readonly tick?: boolean;
}
