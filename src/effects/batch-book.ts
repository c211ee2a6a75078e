import type { TaskId } from "../model/task-id.ts";

/** A batch and what is left of those before, as plain JSON. */
export interface KeptBatches {
  readonly members: readonly TaskId[];
  readonly sequential: readonly TaskId[];
  readonly owed: readonly (readonly [member: TaskId, commit: string | null])[];
}

/** The batch that is under way, and what is left of those before. */
export interface BatchBook {
  begin(members: readonly TaskId[]): void;
  /** Its members are to be done one by one from now on. */
  break(): void;
  /** Empty while a task is done on its own. */
  readonly members: readonly TaskId[];
  /** Tasks that are never batched again. */
  readonly sequential: ReadonlySet<TaskId>;
  /** The lines of a member that has passed are still to be written into the progress log. */
  owe(member: TaskId, commit: string | null): void;
  /** Members whose lines are still to be written, and where HEAD was when they had passed. */
  readonly owed: ReadonlyMap<TaskId, string | null>;
  /** All lines are written. */
  settle(): void;
  kept(): KeptBatches;
  /** Go on from there. */
  take(kept: KeptBatches): void;
}

export function createBatchBook(): BatchBook {
  const sequential = new Set<TaskId>();
  const owed = new Map<TaskId, string | null>();
  let members: readonly TaskId[] = [];
  return {
    begin: (chosen) => {
      members = chosen;
    },
    break: () => {
      for (const member of members) sequential.add(member);
    },
    get members() {
      return members;
    },
    sequential,
    owe: (member, commit) => {
      owed.set(member, commit);
    },
    owed,
    settle: () => owed.clear(),
    kept: () => ({ members, sequential: [...sequential], owed: [...owed] }),
    take: (kept) => {
      ({ members } = kept);
      for (const member of kept.sequential) sequential.add(member);
      for (const [member, commit] of kept.owed) owed.set(member, commit);
    },
  };
}
