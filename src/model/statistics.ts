import type { Purpose } from "./ledger.ts";
import type { TaskId } from "./task.ts";

/** Costs and duration of work. */
export interface Taken {
  /** US dollars; null if no executor reported them. */
  readonly costUsd: number | null;
  /** Input and output tokens; null if no executor reported them. */
  readonly tokens: number | null;
  /** From delegation to verdict, in milliseconds. */
  readonly ms: number;
}

/** A recorded attempt at a task, fix or part. */
export interface AttemptSeen extends Taken {
  /** The planned task of the tree. */
  readonly root: TaskId;
  /** Purpose of the attempt: `first`, or a rung of the ladder. */
  readonly purpose: Purpose;
  /** Index of the executor in its chain, from 0. */
  readonly executor: number;
  /**
   * How the attempt ended. `rejected`: its claim was rejected, or it failed; `trouble`: the executor could not work;
   * `open`: no end is recorded.
   */
  readonly end: "accepted" | "rejected" | "trouble" | "open";
}

/** Result of a planned task in a run. */
export interface TaskSeen extends Taken {
  readonly task: TaskId;
  readonly attempts: number;
  /**
   * How the task was finished. `first`: by its first attempt; a rung: by the last accepted attempt after a failure;
   * `none`: by a passing Verify, without an accepted attempt; `person`: by a person. Null if the task has not passed.
   */
  readonly solvedBy: Purpose | "none" | "person" | null;
}

/** Counts of one run. */
export interface RunSeen {
  readonly attempts: readonly AttemptSeen[];
  readonly tasks: readonly TaskSeen[];
  /** Checks that failed and then passed without a change, at least twice. */
  readonly flaky: readonly string[];
}

/** Sums over attempts of one kind. */
export interface Tally extends Taken {
  readonly attempts: number;
  readonly accepted: number;
  /** Attempts in which the executor could not work. */
  readonly troubles: number;
}

/** Combined statistics of runs. */
export interface Statistics {
  readonly runs: number;
  /** Number of planned tasks that were begun; a task counts once per run. */
  readonly tasks: number;
  /** Number of planned tasks that passed. */
  readonly passed: number;
  /** Tasks that passed at the first attempt. */
  readonly atFirst: number;
  /** Number of other passed tasks, by how they were finished. */
  readonly solvedBy: Readonly<Partial<Record<Purpose | "none" | "person", number>>>;
  readonly byPurpose: readonly (Tally & { readonly purpose: Purpose })[];
  /** Attempts, grouped by the position of their executor in the chain, from 1. */
  readonly byExecutor: readonly (Tally & { readonly executor: number })[];
  readonly total: Tally;
  readonly flaky: readonly string[];
}

/** Expected amount of work: the median, and the 90th percentile. */
export interface Band {
  readonly p50: number;
  readonly p90: number;
}

/** Estimate for tasks; null for amounts that too few tasks report. */
export interface Expected {
  /** Number of earlier tasks that the estimate is based on. */
  readonly known: number;
  readonly costUsd: Band | null;
  readonly tokens: Band | null;
  /** Duration if the tasks are done one after the other, in milliseconds. */
  readonly ms: Band | null;
}

/** A task that a run would delegate. */
export interface PlannedTask {
  readonly id: TaskId;
  readonly title: string;
  /** The task's own check command; null if there is none. */
  readonly check: string | null;
  /** Whether the task is for a person, so that the run stops there. */
  readonly isForPerson: boolean;
}

/** Preview of a run. */
export interface Forecast {
  /** Steps in order; tasks of one step run in parallel. */
  readonly steps: readonly (readonly PlannedTask[])[];
  /** Number of tasks to delegate; `steps` may contain fewer. */
  readonly tasks: number;
  /** Maximum number of delegations, including those of earlier starts. */
  readonly maxDelegations: number;
  /**
   * The check for tasks without a command of their own, or a proposed check, on one line; null if each task has its own
   * command.
   */
  readonly projectCheck: string | null;
  readonly expected: Expected;
}
