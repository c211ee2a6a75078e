import type { TaskFields } from "./task.ts";
import type { TaskId } from "./task-id.ts";

/** A task to be written into a plan. Every text is untrusted and as it came in; the markdown room encodes it. */
export interface NewTask {
  readonly id: TaskId;
  /** Without brackets, as in `Task.markers`. */
  readonly markers: readonly string[];
  readonly title: string;
  readonly fields: TaskFields;
}
