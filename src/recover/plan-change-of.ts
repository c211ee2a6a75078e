import type { ChangeType } from "../model/modification-request.ts";
import type { NewTask } from "../model/new-task.ts";
import type { PlanChange } from "../model/plan-change.ts";
import type { TaskId } from "../model/task-id.ts";

/**
 * What a request makes of the plan: the parts of a task take its place, what it needs stands before the root of its
 * tree, and what follows from it behind that.
 */
export function planChangeOf(
  type: ChangeType,
  { task, root, tasks }: { task: TaskId; root: TaskId; tasks: readonly NewTask[] },
): PlanChange {
  switch (type) {
    case "SPLIT_TASK":
      return { task, place: "behind", tasks, tick: true };
    case "ADD_PREREQUISITE":
      return { task: root, place: "before", tasks };
    case "ADD_FOLLOWUP":
      return { task: root, place: "behind", tasks };
  }
}
