import type { Before, KnownRun, RedCheck } from "../model/check-run.ts";
import type { Repair } from "../model/directive.ts";
import type { Answer } from "../model/effect.ts";
import type { Escalation } from "../model/escalation.ts";
import type { Proof } from "../model/evidence.ts";
import type { FixTask } from "../model/failure.ts";
import type { Baseline } from "../model/git-evidence.ts";
import type { SpentByTask } from "../model/ledger.ts";
import type { Denial, RunLimits } from "../model/limits.ts";
import type { PlanChange } from "../model/plan-change.ts";
import type { Book } from "../model/pull-request.ts";
import type { Collision, RunRecord } from "../model/record.ts";
import type { AttemptKey, DeniedAct } from "../model/reply.ts";
import type { Role } from "../model/role.ts";
import type { ProjectChecked, TreeLeft } from "../model/run-state.ts";
import type { TaskId } from "../model/task.ts";
import type { HandedOut, NotedCheck, PlannedChange, RaceSoFar } from "../model/turn.ts";
import type { AdmittedDelegation, AttemptFacts, AttemptRecord, EarlierAttempt } from "./attempt-record.ts";

/** Reports which executors of each role can work. */
export interface Availability {
  /** Choose the first of these executors that can work now; if none can, the one that is available soonest. */
  choose(role: Role, executors: readonly number[], now: number): number;
  /**
   * Time at which an executor can work: `now` or later; null if only a person can help.
   *
   * @param but An attempt that is not recorded yet, and the time at which its executor can work again.
   */
  nextFree(
    role: Role,
    executors: readonly number[],
    now: number,
    but?: { readonly attempt: AttemptKey; readonly until: number | null },
  ): number | null;
  /**
   * Duration of the run's waits for executors, in whole milliseconds. A monotonic clock measures within this start, so
   * a changed wall clock does not matter.
   *
   * @param since Start of the period, in milliseconds since 1970.
   * @param most Upper bound for the waits of other starts.
   */
  waitedSince(since: number, now: number, most?: number): number;
}

/**
 * The memory of a run: queries on its state, and records that must be written before an effect acts. An effect's
 * answer is recorded when the effect ends, and only then changes the state.
 */
export interface Attempts {
  /**
   * Set the number of open tasks. Only the first call counts, and only if the count at the start of the run is unknown.
   */
  opened(tasks: () => number): void;
  /** Admit a delegation and record it durably before it starts, or return the limit that denies it. */
  admit(delegation: AdmittedDelegation, limits: RunLimits): Promise<Denial | null>;
  /** The limit that would deny one more delegation. */
  denial(limits: RunLimits): Denial | null;
  readonly availability: Availability;
  /** The text of the plan as the run knows it; null before the plan was first read. */
  planSeen(): string | null;
  /**
   * Append records atomically, and durably unless all of them could be produced again.
   *
   * @param more `facts`: facts that a recorded answer is based on; `at`: time of the records, in milliseconds since
   * 1970; `hold`: whether the records may be appended together with the next ones; `onAppended`: called after the
   * append.
   */
  record(
    records: readonly RunRecord[],
    more?: {
      readonly facts?: AttemptFacts | undefined;
      readonly at?: number | undefined;
      readonly hold?: boolean;
      readonly onAppended?: () => void;
    },
  ): void;
  /** Delegations that are handed out and not reported yet, by key. */
  handedOut(): Readonly<Record<string, HandedOut>>;
  /** The baseline from before an attempt began for the first time; null if it has not begun. */
  baseline(key: AttemptKey): Baseline | null;
  /** Whether this Verify command has failed in this run for any task in the tree of `task`. */
  hasFailed(task: TaskId, command: string): boolean;
  /** The last passed run of a command, else its last failed run; null if there is neither. */
  lastCheck(command: string): NotedCheck | null;
  /** The last run of a command; null if there is none. */
  lastRun(command: string): KnownRun | null;
  /** Result of a task's Verify before the work; null if that Verify was not run. */
  before(task: TaskId): Before | null;
  /** Name of the workspace content before the first attempt in the tree of a task; null if unknown. */
  contentBefore(task: TaskId): string | null;
  /** Name of the workspace content before an attempt of this turn; null if unknown. */
  found(key: AttemptKey): string | null;
  /** Name of the workspace content before the first attempt at the task itself; null if unknown. */
  foundFirst(task: TaskId): string | null;
  /**
   * Name of the initial content of a planned task's own worktree; null if the task works in the workspace, or is
   * merged already.
   */
  apart(root: TaskId): string | null;
  /** Whether the last work on a planned task was in its own worktree, merged or not. */
  wasApart(root: TaskId): boolean;
  /** Planned tasks that passed in their own worktrees and are not merged yet. */
  toMerge(): readonly TaskId[];
  /** The race of a task; null if the task is in no race. */
  race(task: TaskId): RaceSoFar | null;
  /** Why an accepted task is done again; null for any other task. */
  collision(root: TaskId): Collision | null;
  /** The last attempt with a known resulting content in the tree of a task; null if there is none. */
  leftIn(task: TaskId): TreeLeft | null;
  /** Checks of a command that were red before the first delegation of the run, by name. */
  redAtFirst(command: string): readonly string[];
  /** Names of checks that were red before the run and are ignored. */
  excused(): readonly Pick<RedCheck, "name" | "id">[];
  /** The last result of the project check that covers several tasks; null if it has not run. */
  checked(): ProjectChecked | null;
  /** Files that `[RED]` tasks made since the last `[GREEN]` task. */
  given(): readonly string[];
  /**
   * Run `act` for a task of a batch while no executor of another task works; no executor begins until `act` ends.
   *
   * @throws {DOMException} `AbortError` if the run is stopped before `act` begins.
   */
  alone<Result>(task: TaskId, act: () => Promise<Result>, signal: AbortSignal): Promise<Result>;
  /** Run `act`, an executor's work on a task of a batch, as soon as no `alone` work runs. */
  beside<Result>(task: TaskId, act: () => Promise<Result>): Promise<Result>;
  /** Names of checks that failed and then passed without a change in between, at least twice. */
  flaky(): ReadonlySet<string>;
  /** Changes to the proof of a task that a person has accepted, by content hash. */
  allowed(task: TaskId): readonly string[];
  /** The root of a task's tree. */
  rootOf(task: TaskId): TaskId;
  /** The batch that is under way; empty while a task is done on its own. */
  batched(): readonly TaskId[];
  /** Checks that were red in the tree of a task at any time. */
  reds(task: TaskId): readonly RedCheck[];
  /** Record the answer about an attempt's claim durably, before clearing the ticks on which the verdict is based. */
  conclude(key: AttemptKey, answer: Answer<"verify">, facts: AttemptFacts): Promise<void>;
  /** Whether an attempt was made in this turn, so that it can be recalled. */
  knows(key: AttemptKey): boolean;
  /** @throws {InvariantError} `attempt-unknown` */
  recall(key: AttemptKey): Promise<AttemptRecord>;
  /** Results of the attempts at a task before `key`, oldest first, for the next prompt. */
  earlier(key: AttemptKey): Promise<readonly EarlierAttempt[]>;
  /** Findings of reviewers about this task, oldest first. */
  findings(task: TaskId): readonly string[];
  /** Tasks whose executors have started and whose claims are neither rejected nor recorded as passed. */
  inFlight(): ReadonlySet<TaskId>;
  /** Record a fix task durably before it is written; returns the one already recorded for that attempt, if any. */
  intend(key: AttemptKey, fix: FixTask): Promise<FixTask>;
  /** The fix task planned for a failed attempt, or by another effect; null if there is none. */
  madeFor(attempt: AttemptKey): FixTask | null;
  /** Proofs of the accepted tasks. */
  proofs(): ReadonlyMap<TaskId, Proof>;
  /** Passed tasks in order, each with the workspace content after its Verify (null if unknown). */
  passed(): readonly { readonly task: TaskId; readonly content: string | null }[];
  /** Why a fix task was made; null if this run did not make it. */
  intended(fix: TaskId): Pick<FixTask, "error" | "madeFor" | "late"> | null;
  /** Superseded fix tasks, each with the fix that replaced it. */
  superseded(): ReadonlyMap<TaskId, TaskId>;
  /** Record durably that a fix task is superseded, before it is closed in the plan. */
  noteClosed(fix: TaskId, by: TaskId): Promise<void>;
  /** Record a plan change durably before it is written. */
  plan(key: AttemptKey, planned: PlannedChange): Promise<void>;
  /** The plan change recorded for an attempt; null if there is none. */
  planned(key: AttemptKey): PlannedChange | null;
  /** `count`: plan changes that a task has requested; `depth`: generations of plan changes that led to the task. */
  changesOf(task: TaskId): { readonly count: number; readonly depth: number };
  /** Tasks that are never batched again. */
  sequential(): ReadonlySet<TaskId>;
  /** Passed tasks that still need a line in the progress log, each with its commit. */
  unlogged(): ReadonlyMap<TaskId, string | null>;
  /**
   * Begin to measure the working time of this start, unless it is measured already. Apply the records of earlier
   * starts first.
   *
   * @param now Milliseconds since any fixed moment.
   */
  startClock(now: () => number): void;
  /** Pause the measurement of working time; the returned function continues it. */
  pause(): () => void;
  /** Spending of the tree of a root task. */
  spent(root: TaskId): SpentByTask;
  /** Whether the last fix of a task is done, and the task was not attempted since. */
  isRepaired(task: TaskId): boolean;
  /** The open question that the executor of a task or its part asked a person; null if there is none. */
  openQuestion(task: TaskId): string | null;
  /** Number of consecutive tasks with the same environment problem, this one included. */
  meets(task: TaskId, trouble: string): number;
  /** The first of these denied acts that no person was asked about for this task; null if there is none. */
  newDenial(task: TaskId, denials: readonly DeniedAct[]): DeniedAct | null;
  /** Whether a tool denied an act in another attempt of this turn in the same tree. */
  deniedBefore(key: AttemptKey): boolean;
  /** Stuck level and history of the tree of a task. */
  escalation(task: TaskId): Escalation;
  /** Directives of the repair operator for the tree of a task, oldest first. */
  repairs(task: TaskId): readonly Repair[];
  /** Title of a part of a decomposed task; null if the task is not a part. */
  part(task: TaskId): string | null;
  /** Planned tasks that are skipped, with the reasons. */
  skipped(): ReadonlyMap<TaskId, string>;
  /** Planned tasks that still wait for a person, each with its question. */
  parked(): ReadonlyMap<TaskId, { readonly reason: string; readonly hint: string }>;
  /** A person's guidance for a planned task; null if there is none. */
  guidance(root: TaskId): string | null;
  /** State of the run's pull request. */
  pullRequest(): Book;
  /** The pull-request task recorded under this key before it is written into the plan; null if there is none. */
  addition(key: string): { readonly change: PlanChange; readonly checks: readonly string[] } | null;
  /** Paths of the reports of planned tasks in this run. */
  reported(): ReadonlyMap<TaskId, string>;
}
