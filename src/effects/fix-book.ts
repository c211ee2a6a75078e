import type { FixTask } from "../model/fix-task.ts";
import type { AttemptKey } from "../model/reply.ts";
import type { TaskId } from "../model/task-id.ts";
import type { RunTally } from "./run-tally.ts";

/** The fix tasks of a run, from the moment at which they are intended. */
export interface FixBook {
  note(attempt: AttemptKey, fix: FixTask): void;
  /** One that was never written. */
  forget(fix: TaskId): void;
  /** The fix that is intended for a failed attempt; undefined without one. */
  madeFor(attempt: AttemptKey): FixTask | undefined;
  intended(fix: TaskId): FixTask | null;
  /** Of turns that are over. */
  kept(): readonly FixTask[];
  /** Go on from there, counted as they are. */
  take(kept: readonly FixTask[]): void;
  beginTurn(): void;
}

/** @param tally Counts them. */
export function createFixBook(tally: RunTally): FixBook {
  const intentions = new Map<AttemptKey, FixTask>();
  const fixes = new Map<TaskId, FixTask>();
  return {
    note: (attempt, fix) => {
      intentions.set(attempt, fix);
      fixes.set(fix.id, fix);
      tally.addFix(fix);
    },
    forget: (id) => {
      const { fixOf, supersedes } = fixes.get(id) ?? { fixOf: id, supersedes: undefined };
      fixes.delete(id);
      tally.dropFix({ id, fixOf, supersedes });
    },
    madeFor: (attempt) => intentions.get(attempt),
    intended: (fix) => fixes.get(fix) ?? null,
    kept: () => [...fixes.values()],
    take: (kept) => {
      for (const fix of kept) fixes.set(fix.id, fix);
    },
    beginTurn: () => intentions.clear(),
  };
}
