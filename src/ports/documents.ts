import type { FixEnd, FixTask } from "../model/failure.ts";
import type { Plan } from "../model/plan.ts";
import type { PlanChange } from "../model/plan-change.ts";
import type { SummaryEntry } from "../model/stuck-report.ts";
import type { TaskId } from "../model/task.ts";

/** A plan and its source text. The object stays the same until the text changes. */
export interface OpenPlan {
  readonly text: string;
  readonly plan: Plan;
}

/** The plan before and after an edit. */
export interface PlanEdit {
  readonly before: OpenPlan;
  readonly after: OpenPlan;
}

/** An entry for the progress log. */
export type ProgressEntry =
  /** A reviewer's finding that needs no fix task, as text. */
  | { readonly kind: "suggestion"; readonly task: TaskId; readonly text: string }
  /** Output of the reality check after the work; replaces an earlier entry. */
  | {
      readonly kind: "reality";
      readonly task: TaskId;
      readonly command: string;
      readonly exitCode: number | null;
      /** The end of the output. */
      readonly output: string;
    }
  /** Progress of a pull request; the text may come from outside. `number` is null before the pull request exists. */
  | { readonly kind: "pull-request"; readonly number: number | null; readonly text: string }
  | { readonly kind: "completed"; readonly task: TaskId; readonly title: string; readonly commit: string | null }
  | {
      readonly kind: "fixes";
      readonly task: TaskId;
      readonly fixes: readonly TaskId[];
      /** Superseded fix tasks; may contain fix tasks of other tasks. */
      readonly superseded: readonly TaskId[];
      readonly final: FixEnd;
    };

export interface WriteOptions {
  /**
   * Whether the write is on disk when the call resolves (true by default); if false, the write is on disk only after
   * `flush`.
   */
  readonly durable?: boolean;
}

/**
 * The documents of a spec. Executors and people may edit them at any time, so each edit replaces only the bytes that it
 * changes.
 */
export interface Documents {
  /** Read the current plan. */
  read(): Promise<OpenPlan>;
  /** Write a fix task below the task it repairs; does nothing if it is there already. */
  insert(fix: FixTask): Promise<PlanEdit>;
  /** Set or clear a box; does nothing if it already has that value. */
  tick(task: TaskId, done: boolean, options?: WriteOptions): Promise<PlanEdit>;
  /** Tick a superseded fix task and add a note to its block; does nothing if that is done already. */
  close(task: TaskId, by: TaskId): Promise<PlanEdit>;
  /**
   * Insert tasks before or after an existing task, and tick that task if requested; does nothing if the tasks are there
   * already.
   */
  change(change: PlanChange): Promise<PlanEdit>;
  /**
   * Replace the text of the plan; does nothing if the new text is the same.
   *
   * @param make Gets the current plan. Called again if the plan is edited meanwhile.
   */
  rewrite(make: (found: OpenPlan) => string): Promise<PlanEdit>;
  /** A file of the spec by name, such as `design.md`; null if it does not exist. */
  artifact(name: string): Promise<string | null>;
  /**
   * The progress log of the spec or of a batch member; empty if it does not exist.
   *
   * @param last Number of UTF-16 code units wanted from its end; the whole log if not given.
   */
  progress(member?: TaskId | null, last?: number): Promise<string>;
  /**
   * Append the logs of batch members, in the given order, and delete them.
   *
   * @param done Accepted tasks, which the logs may report as done (none if not given).
   */
  merge(members: readonly TaskId[], done?: ReadonlySet<TaskId>): Promise<void>;
  /** Add or replace an entry of the progress log; does nothing if the entry is there already. */
  append(entry: ProgressEntry, options?: WriteOptions): Promise<void>;
  /** Add a line to `SUMMARY.md`, creating the file if needed; does nothing if the line is there already. */
  summarize(entry: SummaryEntry): Promise<void>;
  /**
   * Write a checkpoint report, replacing the previous one.
   *
   * @param path Relative to the workspace; null: `stuck-report.md` next to the plan.
   * @returns The path to show to people.
   */
  report(text: string, path: string | null): Promise<string>;
  /** Flush writes made with `durable: false` to disk. A store without this method makes every write durable. */
  flush?(): Promise<void>;
}
