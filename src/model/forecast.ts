import type { TaskId } from "./task.ts";

/** What work is expected to take: as much or less in half of all cases, and in nine of ten. */
export interface Band {
  readonly p50: number;
  readonly p90: number;
}

/** What tasks are expected to take; null of what too few tasks tell. */
export interface Expected {
  /** Tasks of earlier runs that it is told from. */
  readonly known: number;
  readonly costUsd: Band | null;
  readonly tokens: Band | null;
  /** One after the other, in milliseconds. */
  readonly ms: Band | null;
}

/** A task that a run would delegate. */
export interface PlannedTask {
  readonly id: TaskId;
  readonly title: string;
  /** The command that checks it by itself; null without one. */
  readonly check: string | null;
  /** It asks a person, where the run stops. */
  readonly isForPerson: boolean;
}

/** What a run would do, before it does anything. */
export interface Forecast {
  /** In their order; those of one step side by side. */
  readonly steps: readonly (readonly PlannedTask[])[];
  /** All that would be delegated: more than stand in the steps where they are many. */
  readonly tasks: number;
  /** Delegations that are allowed at most, those of earlier starts of the run among them. */
  readonly maxDelegations: number;
  /** What checks tasks without a command of their own, or could, one line; null where each has one. */
  readonly projectCheck: string | null;
  readonly expected: Expected;
}
