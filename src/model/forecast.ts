import type { TaskId } from "./task.ts";

/** Expected amount of work: the median, and the 90th percentile. */
export interface Band {
  readonly p50: number;
  readonly p90: number;
}

/** Estimate for tasks; null for amounts that too few tasks report. */
export interface Expected {
  /** Number of earlier tasks behind the estimate. */
  readonly known: number;
  readonly costUsd: Band | null;
  readonly tokens: Band | null;
  /** If done one after the other, in milliseconds. */
  readonly ms: Band | null;
}

/** A task that a run would delegate. */
export interface PlannedTask {
  readonly id: TaskId;
  readonly title: string;
  /** Its own check command; null if there is none. */
  readonly check: string | null;
  /** Whether the task is for a person, so that the run stops there. */
  readonly isForPerson: boolean;
}

/** Preview of a run. */
export interface Forecast {
  /** Steps in order; tasks of one step run in parallel. */
  readonly steps: readonly (readonly PlannedTask[])[];
  /** Number of tasks to delegate; may be more than the steps list. */
  readonly tasks: number;
  /** Maximum number of delegations, including those of earlier starts. */
  readonly maxDelegations: number;
  /** The check for tasks without their own command, or a proposal, one line; null if each task has one. */
  readonly projectCheck: string | null;
  readonly expected: Expected;
}
