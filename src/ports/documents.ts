import type { FixEnd, FixTask } from "../model/failure.ts";
import type { Plan } from "../model/plan.ts";
import type { PlanChange } from "../model/plan-change.ts";
import type { SummaryEntry } from "../model/stuck-report.ts";
import type { TaskId } from "../model/task.ts";

/** A plan and its text. Until the text changes, the same object is returned. */
export interface OpenPlan {
  readonly text: string;
  readonly plan: Plan;
}

export interface PlanEdit {
  readonly before: OpenPlan;
  readonly after: OpenPlan;
}

export type ProgressEntry =
  /** Finding of a reviewer that needs no fix task. */
  | { readonly kind: "suggestion"; readonly task: TaskId; readonly text: string }
  /** Result of the reality check after the work. It replaces an earlier result. */
  | {
      readonly kind: "reality";
      readonly task: TaskId;
      readonly command: string;
      readonly exitCode: number | null;
      /** End of the output. */
      readonly output: string;
    }
  /** Progress of a pull request. `text` may be from outside; `number` is null before the pull request exists. */
  | { readonly kind: "pull-request"; readonly number: number | null; readonly text: string }
  | { readonly kind: "completed"; readonly task: TaskId; readonly title: string; readonly commit: string | null }
  | {
      readonly kind: "fixes";
      readonly task: TaskId;
      readonly fixes: readonly TaskId[];
      /** Superseded fix tasks of any task. */
      readonly superseded: readonly TaskId[];
      readonly final: FixEnd;
    };

export interface WriteOptions {
  /**
   * Whether the write is on disk when the call resolves; true if not given. If false, only `flush` makes the write
   * durable.
   */
  readonly durable?: boolean;
}

/**
 * Documents of a spec. Executors and people may edit them at any time, so an edit replaces only the bytes that it
 * changes.
 */
export interface Documents {
  read(): Promise<OpenPlan>;
  /** Write a fix task below the task that it repairs. Does nothing if the plan already has the fix task. */
  insert(fix: FixTask): Promise<PlanEdit>;
  /** Tick or clear the boxes of a task. Does nothing if the boxes are already right. */
  tick(task: TaskId, done: boolean, options?: WriteOptions): Promise<PlanEdit>;
  /** Tick a superseded fix task, and add a note to its text. Does nothing if the fix task is already closed. */
  close(task: TaskId, by: TaskId): Promise<PlanEdit>;
  /**
   * Insert tasks before or after a task, and tick that task if requested. Does nothing if the plan has the new tasks.
   */
  change(change: PlanChange): Promise<PlanEdit>;
  /**
   * Replace the text of the plan.
   *
   * @param make Gets the current plan, and returns the new text. Called again if someone edits the plan meanwhile.
   */
  rewrite(make: (found: OpenPlan) => string): Promise<PlanEdit>;
  /** Read a file of the spec by name, such as `design.md`; null if it does not exist. */
  artifact(name: string): Promise<string | null>;
  /**
   * Read the progress log of the spec or of a batch task; empty if it does not exist.
   *
   * @param last Maximum number of UTF-16 code units, from the end; all of the log if not given.
   */
  progress(member?: TaskId | null, last?: number): Promise<string>;
  /**
   * Append the logs of batch tasks in the given order, and delete them.
   *
   * @param done Accepted tasks that the logs may report as done; none if not given.
   */
  merge(members: readonly TaskId[], done?: ReadonlySet<TaskId>): Promise<void>;
  /** Add an entry to the progress log, or replace an earlier entry. Does nothing if the log already has the entry. */
  append(entry: ProgressEntry, options?: WriteOptions): Promise<void>;
  /** Add a line to `SUMMARY.md`, which is created if needed. Does nothing if the file has the line. */
  summarize(entry: SummaryEntry): Promise<void>;
  /**
   * Write the report of a checkpoint; it replaces an earlier report.
   *
   * @param path Path relative to the workspace; null for `stuck-report.md` next to the plan. @returns Path to show to
   * people.
   */
  report(text: string, path: string | null): Promise<string>;
  /** Bring writes with `durable: false` to disk. Without this method, every write must be durable. */
  flush?(): Promise<void>;
}
