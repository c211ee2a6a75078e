import type { FixEnd, FixTask } from "../model/failure.ts";
import type { Plan } from "../model/plan.ts";
import type { PlanChange } from "../model/plan-change.ts";
import type { SummaryEntry } from "../model/stuck-report.ts";
import type { TaskId } from "../model/task.ts";

/** A plan and the text it was read from. The same object as long as the text is the same. */
export interface OpenPlan {
  readonly text: string;
  readonly plan: Plan;
}

/** What an edit was made on, and what it made of it. */
export interface PlanEdit {
  readonly before: OpenPlan;
  readonly after: OpenPlan;
}

/** Something for the progress log. */
export type ProgressEntry =
  /** What a reviewer found that no fix can see to, as text. */
  | { readonly kind: "suggestion"; readonly task: TaskId; readonly text: string }
  /** What the command of the reality check says once the work is done; stands in place of an earlier one. */
  | {
      readonly kind: "reality";
      readonly task: TaskId;
      readonly command: string;
      readonly exitCode: number | null;
      /** The end of what it printed. */
      readonly output: string;
    }
  /** What has become of a pull request, in words that may be foreign; `number` is null before there is one. */
  | { readonly kind: "pull-request"; readonly number: number | null; readonly text: string }
  | { readonly kind: "completed"; readonly task: TaskId; readonly title: string; readonly commit: string | null }
  | {
      readonly kind: "fixes";
      readonly task: TaskId;
      readonly fixes: readonly TaskId[];
      /** Those among them, and others, that another fix has taken the place of. */
      readonly superseded: readonly TaskId[];
      readonly final: FixEnd;
    };

export interface WriteOptions {
  /** Whether the write is on the disk when the call resolves (true by default); if not, it is when `flush` resolves. */
  readonly durable?: boolean;
}

/** The documents of a spec. Executors and people may edit them at any time; edits here touch no other byte. */
export interface Documents {
  /** The plan as it is now. */
  read(): Promise<OpenPlan>;
  /** Write a fix task below the task it repairs; nothing when it stands there already. */
  insert(fix: FixTask): Promise<PlanEdit>;
  /** Set or clear a box; nothing when it is so already. */
  tick(task: TaskId, done: boolean, options?: WriteOptions): Promise<PlanEdit>;
  /** Tick a fix task that another one has taken the place of, with a note in its block; nothing when it is so already. */
  close(task: TaskId, by: TaskId): Promise<PlanEdit>;
  /** Write tasks beside another, and tick that if told to; nothing when they stand there already. */
  change(change: PlanChange): Promise<PlanEdit>;
  /**
   * Replace the text of the plan with what is made of it; nothing when that is the same.
   *
   * @param make Gets the plan as it is at that moment. May be called again when somebody edits the plan meanwhile.
   */
  rewrite(make: (found: OpenPlan) => string): Promise<PlanEdit>;
  /** A file of the spec by its name, such as `design.md`; null when there is none. */
  artifact(name: string): Promise<string | null>;
  /**
   * The progress log, or that of a member of a batch; empty when there is none.
   *
   * @param last How many UTF-16 code units of its end are enough; the whole when not given.
   */
  progress(member?: TaskId | null, last?: number): Promise<string>;
  /**
   * Take over what members of a batch wrote into their own logs, in that order, and remove those.
   *
   * @param done Tasks of which they may say that they are done (none when not given): somebody else has accepted them.
   */
  merge(members: readonly TaskId[], done?: ReadonlySet<TaskId>): Promise<void>;
  /** Add a line to the progress log, or renew it; nothing when the line of that task stands there already. */
  append(entry: ProgressEntry, options?: WriteOptions): Promise<void>;
  /** Add a line to `SUMMARY.md`, which is made when there is none; nothing when that line stands there already. */
  summarize(entry: SummaryEntry): Promise<void>;
  /**
   * Write the report of a checkpoint over the one before.
   *
   * @param path From the workspace; null: `stuck-report.md` beside the plan.
   * @returns The path as people are told it.
   */
  report(text: string, path: string | null): Promise<string>;
  /** Bring to the disk what was written with `durable: false`. A store without this method makes every write durable. */
  flush?(): Promise<void>;
}
