import type { Plan } from "../model/plan.ts";
import type { NewTask, PlanChange } from "../model/plan-change.ts";
import type { ChangeType, ModificationRequest } from "../model/reply.ts";
import type { Task, TaskId } from "../model/task.ts";
import { clamp } from "../model/text.ts";

const maxChanges = 3;
/** Maximum `depth` of a task that requests tasks, since a requested task may request more tasks. */
const maxChangeDepth = 2;

export interface RequestedChange {
  readonly request: Pick<ModificationRequest, "type" | "originalTaskId">;
  /** The delegated task, and the root of its tree. */
  readonly task: Pick<Task, "id" | "fixOf">;
  readonly root: TaskId;
  readonly plan: Pick<Plan, "tasks">;
  /** `proposedTasks`, parsed. */
  readonly proposed: readonly NewTask[];
  readonly changes: number;
  /** Number of plan changes that led to this task: 0 for a task of the planner. */
  readonly depth: number;
  /** Whether the message with the request also claims completion. */
  readonly claimed: boolean;
}

/**
 * Why an executor may not change the plan as requested; null if it may.
 *
 * @see docs/protocol.md
 */
export function checkChange({ request, task, root, plan, proposed, ...spent }: RequestedChange): string | null {
  const { type, originalTaskId } = request;
  if (originalTaskId !== task.id) return `originalTaskId is ${quote(originalTaskId)}, expected "${task.id}"`;
  if (spent.changes >= maxChanges) return `Max modifications (${maxChanges}) reached for task ${task.id}`;
  if (spent.depth >= maxChangeDepth) return `Max modification depth (${maxChangeDepth}) reached for task ${task.id}`;
  if (type === "SPLIT_TASK" && (task.id !== root || task.fixOf !== null)) return "a fix task cannot be split";
  if (type === "SPLIT_TASK" && proposed.length < 2) return "a split needs at least 2 tasks";
  if (type === "ADD_FOLLOWUP" && !spent.claimed) return "a follow-up needs the claim that the task is done";
  return proposed.length === 0 ? "the request proposes no task" : checkIds(plan, proposed);
}

/** Ids that are also valid file names. */
const idForm = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

function checkIds({ tasks }: Pick<Plan, "tasks">, proposed: readonly NewTask[]): string | null {
  const taken = new Set(tasks.map(({ id }) => id));
  for (const [index, { id }] of proposed.entries()) {
    if (!idForm.test(id)) return `${quote(id)} is not a valid task id`;
    if (taken.has(id)) return `the plan has a task ${id} already`;
    if (proposed.findIndex((other) => other.id === id) < index) return `the request proposes task ${id} twice`;
  }
  return null;
}

const quote = (text: string): string => JSON.stringify(clamp(text, 40));

/**
 * The plan change of a request: parts replace their task, prerequisites come before the root of the task's tree, and
 * follow-ups come after that root.
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
