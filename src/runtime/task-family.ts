import type { Answered, RunRecord } from "../model/record.ts";
import { taskOf } from "../model/reply.ts";
import { lineageOf, parentOf, partId, type Task, type TaskId } from "../model/task.ts";

/** Parent relations of tasks, by the plan and the records. */
export interface TaskFamily {
  /** The task that a fix or part was made for; null for a planned task. */
  above(task: TaskId): TaskId | null;
  /** The planned task of its tree. */
  rootOf(task: TaskId): TaskId;
  /** Whether the task is the ancestor, or a direct or indirect fix or part of it. */
  isWithin(task: TaskId, ancestor: TaskId): boolean;
  /** Whether it is a fix of another task. */
  isFix(task: TaskId): boolean;
  /** Descriptions of all parts. */
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

/** The parts that a repair operator split a task into; empty if it did not. */
function partsIn({ effect, answer }: Answered): readonly string[] {
  if (effect !== "askOperator" || answer.kind !== "directed") return [];
  return answer.directive.strategy === "decompose" ? answer.directive.parts : [];
}
