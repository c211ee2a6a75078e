import { partId, wholeOf } from "../model/part-id.ts";
import type { Answered, RunRecord } from "../model/record.ts";
import { taskOf } from "../model/reply.ts";
import type { Task } from "../model/task.ts";
import type { TaskId } from "../model/task-id.ts";

/** Which task each was made for, as far as the plan and the records say. */
export interface TaskFamily {
  /** The task it was made for, as its fix or as a part of it; null for a planned task. */
  above(task: TaskId): TaskId | null;
  /** The planned task in whose tree it is. */
  rootOf(task: TaskId): TaskId;
  /** Whether it is that task, or was made for it or for what was. */
  isWithin(task: TaskId, ancestor: TaskId): boolean;
  /** What each part that was made is to do. */
  readonly parts: ReadonlyMap<TaskId, string>;
}

export function taskFamily(tasks: readonly Pick<Task, "id" | "fixOf">[], records: readonly RunRecord[]): TaskFamily {
  const repaired = new Map<TaskId, TaskId>();
  const parts = new Map<TaskId, string>();
  for (const { id, fixOf } of tasks) if (fixOf !== null) repaired.set(id, fixOf);
  for (const record of records) {
    if (record.type === "intended") repaired.set(record.fix.id, record.fix.fixOf);
    if (record.type !== "answered") continue;
    for (const [index, title] of partsIn(record).entries()) parts.set(partId(taskOf(record.key), index + 1), title);
  }
  const above = (task: TaskId): TaskId | null => (parts.has(task) ? wholeOf(task) : (repaired.get(task) ?? null));
  return {
    above,
    rootOf: (task) => lineageOf(task, above).at(-1) as TaskId,
    isWithin: (task, ancestor) => lineageOf(task, above).includes(ancestor),
    parts,
  };
}

/** What a repair operator has cut a task into; nothing where it has not. */
function partsIn({ effect, answer }: Answered): readonly string[] {
  if (effect !== "askOperator" || answer.kind !== "directed") return [];
  return answer.directive.strategy === "decompose" ? answer.directive.parts : [];
}

/** A task, the one it was made for, and so on. Markers are written by anybody, so they may run in a circle. */
function lineageOf(task: TaskId, above: TaskFamily["above"]): TaskId[] {
  const ids = [task];
  for (let next = above(task); next !== null && !ids.includes(next); next = above(next)) ids.push(next);
  return ids;
}
