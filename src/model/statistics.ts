import type { Purpose } from "./ledger.ts";
import type { TaskId } from "./task.ts";

/** What work has taken. */
export interface Taken {
  /** US dollars; null where no executor has told them. */
  readonly costUsd: number | null;
  /** Read and written together; null where no executor has told them. */
  readonly tokens: number | null;
  /** From a delegation to its verdict, in milliseconds. */
  readonly ms: number;
}

/** An attempt at a task, a fix or a part of one, as it was recorded. */
export interface AttemptSeen extends Taken {
  /** The planned task it was made for. */
  readonly root: TaskId;
  /** What led to it: `first`, or the rung of the ladder. */
  readonly purpose: Purpose;
  /** Which executor of the chain, counted from 0. */
  readonly executor: number;
  /** `accepted`; `rejected`: its claim was, or it has told a failure; `trouble`: the executor could not work; `open`. */
  readonly end: "accepted" | "rejected" | "trouble" | "open";
}

/** What became of a planned task in a run. */
export interface TaskSeen extends Taken {
  readonly task: TaskId;
  readonly attempts: number;
  /**
   * What has brought it to its end: `first` for its first attempt; a rung for the last attempt that was accepted behind a
   * failure; `none`: no attempt at it was accepted, its Verify passed all the same; `person`: somebody mended it. Null where
   * it has not passed.
   */
  readonly solvedBy: Purpose | "none" | "person" | null;
}

/** What is counted of one run. */
export interface RunSeen {
  readonly attempts: readonly AttemptSeen[];
  readonly tasks: readonly TaskSeen[];
  /** Checks that have twice failed and then passed without a change. */
  readonly flaky: readonly string[];
}

/** Attempts of a kind. */
export interface Tally extends Taken {
  readonly attempts: number;
  readonly accepted: number;
  /** Attempts in which the executor could not work. */
  readonly troubles: number;
}

/** What is known from the runs of specs. */
export interface Statistics {
  readonly runs: number;
  /** Planned tasks that were begun, and how many of them have passed; both count a task once for each run. */
  readonly tasks: number;
  readonly passed: number;
  /** Passed by their first attempt. */
  readonly atFirst: number;
  /** Of those that have passed otherwise: how many by what. */
  readonly solvedBy: Readonly<Partial<Record<Purpose | "none" | "person", number>>>;
  readonly byPurpose: readonly (Tally & { readonly purpose: Purpose })[];
  /** By their place in the chain, from 1. */
  readonly byExecutor: readonly (Tally & { readonly executor: number })[];
  readonly total: Tally;
  readonly flaky: readonly string[];
}
