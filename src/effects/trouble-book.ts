import type { TaskId } from "../model/task-id.ts";

/** The trouble of the environment that tasks have met one after the other, as plain JSON. */
export interface KeptTrouble {
  readonly what: string | null;
  readonly tasks: readonly TaskId[];
}

/** Which trouble of the environment tasks have met one after the other. */
export interface TroubleBook {
  /** A task has failed with that; null: with something else, or it has passed. */
  note(task: TaskId, what: string | null): void;
  /** Tasks running that a trouble has met, a further one included. */
  meets(task: TaskId, what: string): number;
  /** A person was asked, or had the time to see to it. */
  clear(): void;
  kept(): KeptTrouble;
  /** Go on from there. */
  take(kept: KeptTrouble): void;
}

export function createTroubleBook(): TroubleBook {
  let met: string | null = null;
  let tasks = new Set<TaskId>();
  const clear = (): void => {
    met = null;
    tasks = new Set();
  };
  return {
    note: (task, what) => {
      if (what !== met) clear();
      met = what;
      if (what !== null) tasks.add(task);
    },
    meets: (task, what) => (what === met ? new Set([...tasks, task]).size : 1),
    clear,
    kept: () => ({ what: met, tasks: [...tasks] }),
    take: (kept) => {
      met = kept.what;
      tasks = new Set(kept.tasks);
    },
  };
}
