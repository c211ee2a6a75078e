import type { RunEnding } from "./event.ts";
import type { TaskId } from "./task-id.ts";

/** Where one task of a plan stands. */
export interface TaskStatus {
  readonly id: TaskId;
  readonly title: string;
  readonly state: "open" | "running" | "passed" | "failed";
  /** Line of its box, counted from 1. */
  readonly line: number;
  /** Generations of fixes between it and its root task, 0 for the root itself. */
  readonly depth: number;
  readonly attempts: number;
  /** The fix tasks made for it. */
  readonly fixes: readonly TaskId[];
  /** What its last attempt failed with; null when none did. */
  readonly lastError: string | null;
}

/** Where a run stands, without it having to be alive. */
export interface RunStatus {
  readonly spec: string;
  readonly total: number;
  readonly completed: number;
  /** Delegations of the whole run. */
  readonly iterations: number;
  /** How the last start ended; null before the first start and while one is alive. */
  readonly outcome: RunEnding | null;
  /** The coordinator that holds the spec. */
  readonly running: { readonly pid: number } | null;
  /** In plan order. */
  readonly tasks: readonly TaskStatus[];
}
