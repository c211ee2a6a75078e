import { repairs, type SpentByTask } from "../model/ledger.ts";
import type { TaskId } from "../model/task-id.ts";

/** Which fix task was made for which task: what `repairs` says, without a look at all that was spent. */
export interface FixParents {
  /** Undefined for a task that is nobody's fix. */
  of(task: TaskId): TaskId | undefined;
  /** Take in that the fixes of a task have changed, behind the change. */
  note(task: TaskId, before: readonly TaskId[], after: readonly TaskId[]): void;
}

/** @param spent What all tasks have spent; read again where two of them claim one fix. */
export function trackFixParents(spent: SpentByTask): FixParents {
  const parents = new Map<TaskId, TaskId>();
  const look = (fix: TaskId): void => {
    const parent = repairs(spent, fix);
    if (parent === undefined) parents.delete(fix);
    else parents.set(fix, parent);
  };
  const note = (task: TaskId, before: readonly TaskId[], after: readonly TaskId[]): void => {
    if (before === after) return;
    for (const fix of before) if (!after.includes(fix)) look(fix);
    for (const fix of after) {
      // A state file of others may name one twice.
      if (parents.has(fix) && parents.get(fix) !== task) look(fix);
      else parents.set(fix, task);
    }
  };
  for (const [task, { fixes }] of Object.entries(spent)) if (fixes.length > 0) note(task, [], fixes);
  return { of: (task) => parents.get(task), note };
}
