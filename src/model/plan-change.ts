import type { NewTask } from "./new-task.ts";
import type { TaskId } from "./task-id.ts";

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
