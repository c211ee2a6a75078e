import type { Purpose } from "./ledger.ts";
import type { TaskId } from "./task.ts";

export interface Taken {
  /** US dollars; null if no executor reported costs. */
  readonly costUsd: number | null;
  /** Input and output tokens; null if no executor reported tokens. */
  readonly tokens: number | null;
  /** Milliseconds from delegation to verdict. */
  readonly ms: number;
}

export interface AttemptSeen extends Taken {
  readonly root: TaskId;
  /** Purpose of the attempt: `first`, a rung, or `answer` for an attempt that a person's answer led to. */
  readonly purpose: Purpose | "answer";
  /** Index in the chain of executors, from 0. */
  readonly executor: number;
  /**
   * How the attempt ended. `rejected`: it failed, or its claim was rejected; `trouble`: the executor was unavailable;
   * `open`: no end is recorded.
   */
  readonly end: "accepted" | "rejected" | "trouble" | "open";
}

export interface TaskSeen extends Taken {
  readonly task: TaskId;
  readonly attempts: number;
  /**
   * Attempt or person that finished the task. `first`: the first attempt; a rung: the rung of the last accepted
   * attempt; `answer`: attempts after a person's answer; `none`: a green Verify without an accepted attempt; `person`:
   * a person. Null if the task has not passed.
   */
  readonly solvedBy: Solver | null;
}

export type Solver = Purpose | "answer" | "none" | "person";

export interface RunSeen {
  readonly attempts: readonly AttemptSeen[];
  readonly tasks: readonly TaskSeen[];
  /** Names of checks that failed and then passed without a change, at least twice. */
  readonly flaky: readonly string[];
}

/** Sums over attempts of one kind. */
export interface Tally extends Taken {
  readonly attempts: number;
  readonly accepted: number;
  readonly troubles: number;
}

export interface Statistics {
  readonly runs: number;
  /** Number of planned tasks with an attempt; a task counts once in each run. */
  readonly tasks: number;
  readonly passed: number;
  readonly atFirst: number;
  /** Number of passed tasks by solver, without the tasks in `atFirst`. */
  readonly solvedBy: Readonly<Partial<Record<Solver, number>>>;
  readonly byPurpose: readonly (Tally & Pick<AttemptSeen, "purpose">)[];
  /** By position of the executor in its chain, from 1. */
  readonly byExecutor: readonly (Tally & { readonly executor: number })[];
  readonly total: Tally;
  readonly flaky: readonly string[];
}

/** Median and 90th percentile. */
export interface Band {
  readonly p50: number;
  readonly p90: number;
}

/** Expected costs and duration. A value is null if too few earlier tasks report it. */
export interface Expected {
  /** Number of earlier tasks that the estimate uses. */
  readonly known: number;
  readonly costUsd: Band | null;
  readonly tokens: Band | null;
  /** Milliseconds if no tasks run in parallel. */
  readonly ms: Band | null;
}

export interface PlannedTask {
  readonly id: TaskId;
  readonly title: string;
  /** The task's own Verify; null if it has none. */
  readonly check: string | null;
  /** Whether a person does the task. The run stops at a task for a person. */
  readonly isForPerson: boolean;
}

export interface Forecast {
  /** Steps in order. The tasks of one step run in parallel. */
  readonly steps: readonly (readonly PlannedTask[])[];
  /** Number of tasks to delegate, including those after the last step in `steps`. */
  readonly tasks: number;
  /** Maximum number of delegations, with those of earlier starts. */
  readonly maxDelegations: number;
  /** Check for tasks without a Verify, in use or proposed, on one line; null if every task has a Verify. */
  readonly projectCheck: string | null;
  readonly expected: Expected;
}
