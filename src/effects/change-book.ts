import { type AttemptKey, taskOf } from "../model/reply.ts";
import type { TaskId } from "../model/task-id.ts";
import type { PlannedChange } from "../ports/attempt-record.ts";

/** How many changes tasks have asked for, and generations of them above a task. */
export interface KeptChanges {
  readonly counts: Readonly<Record<TaskId, number>>;
  readonly generations: Readonly<Record<TaskId, number>>;
}

/** The changes of the plan that executors have asked for and were granted. */
export interface ChangeBook {
  note(attempt: AttemptKey, planned: PlannedChange): void;
  /** One that was never written. */
  forget(attempt: AttemptKey): void;
  planned(attempt: AttemptKey): PlannedChange | null;
  /** Changes that a task has asked for, and generations of them above it. */
  of(task: TaskId): { readonly count: number; readonly depth: number };
  /** By the task that asked for them. */
  readonly counts: Readonly<Record<TaskId, number>>;
  /** Of turns that are over. */
  kept(): KeptChanges;
  /** Go on from there. */
  take(kept: KeptChanges): void;
  beginTurn(): void;
}

/** @param seed Changes by the task that asked for them, in a run that was taken over. */
export function createChangeBook(seed: Readonly<Record<TaskId, number>>): ChangeBook {
  const plans = new Map<AttemptKey, PlannedChange>();
  const counts = new Map<TaskId, number>(Object.entries(seed));
  const generations = new Map<TaskId, number>();
  const of: ChangeBook["of"] = (task) => ({ count: counts.get(task) ?? 0, depth: generations.get(task) ?? 0 });
  return {
    note: (attempt, planned) => {
      const task = taskOf(attempt);
      const { count, depth } = of(task);
      plans.set(attempt, planned);
      counts.set(task, count + 1);
      for (const { id } of planned.change.tasks) generations.set(id, depth + 1);
    },
    forget: (attempt) => {
      const planned = plans.get(attempt);
      if (planned === undefined) return;
      const task = taskOf(attempt);
      plans.delete(attempt);
      counts.set(task, of(task).count - 1);
      for (const { id } of planned.change.tasks) generations.delete(id);
    },
    planned: (attempt) => plans.get(attempt) ?? null,
    of,
    get counts() {
      return Object.fromEntries(counts);
    },
    kept: () => ({ counts: Object.fromEntries(counts), generations: Object.fromEntries(generations) }),
    take: (kept) => {
      for (const [task, count] of Object.entries(kept.counts)) counts.set(task, count);
      for (const [task, depth] of Object.entries(kept.generations)) generations.set(task, depth);
    },
    beginTurn: () => plans.clear(),
  };
}
