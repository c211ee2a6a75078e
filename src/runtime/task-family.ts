import type { Answered, RunRecord } from "../model/record.ts";
import { taskOf } from "../model/reply.ts";
import { lineageOf, parentOf, partId, type Task, type TaskId } from "../model/task.ts";

/** Which task each was made for, as far as the plan and the records say. */
export interface TaskFamily {
  /** The task it was made for, as its fix or as a part of it; null for a planned task. */
  above(task: TaskId): TaskId | null;
  /** The planned task in whose tree it is. */
  rootOf(task: TaskId): TaskId;
  /** Whether it is that task, or was made for it or for what was. */
  isWithin(task: TaskId, ancestor: TaskId): boolean;
  /** Whether it was made to repair another. */
  isFix(task: TaskId): boolean;
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
  const repairedBy = (fix: TaskId): TaskId | undefined => repaired.get(fix);
  return {
    above: (task) => parentOf(task, repairedBy),
    rootOf: (task) => lineageOf(task, repairedBy)[0],
    isWithin: (task, ancestor) => lineageOf(task, repairedBy).includes(ancestor),
    isFix: (task) => repaired.has(task),
    parts,
  };
}

/** What a repair operator has cut a task into; nothing where it has not. */
function partsIn({ effect, answer }: Answered): readonly string[] {
  if (effect !== "askOperator" || answer.kind !== "directed") return [];
  return answer.directive.strategy === "decompose" ? answer.directive.parts : [];
}
