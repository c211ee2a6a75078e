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

/** Knows which executors are available, and when. */
export interface Availability {
  /** Choose the first available executor; if no executor is available, choose the executor with the shortest wait. */
  choose(role: Role, executors: readonly number[], now: number): number;
  /**
   * Earliest time, at least `now`, at which an executor is available; null if a person must help first.
   *
   * @param but An attempt that is not recorded yet; its executor is available again at `until`.
   */
  nextFree(
    role: Role,
    executors: readonly number[],
    now: number,
    but?: { readonly attempt: AttemptKey; readonly until: number | null },
  ): number | null;
  /**
   * Milliseconds in which the run waited for executors. Within this start, a monotonic clock measures the waits, so a
   * changed wall clock does not matter.
   *
   * @param since Start of the period, in milliseconds since 1970. @param most Maximum for the waits of other starts.
   */
  waitedSince(since: number, now: number, most?: number): number;
}

/**
 * Memory of a run: it answers queries about the run's state, and records what must be durable before an effect acts.
 * The answer of an effect changes the state when the effect ends.
 */
export interface Attempts {
  /** Set the number of tasks that are open when the run begins. Does nothing if the number is already set. */
  opened(tasks: () => number): void;
  /** Record a delegation durably before it starts, or return the limit that denies it. */
  admit(delegation: AdmittedDelegation, limits: RunLimits): Promise<Denial | null>;
  /** The limit that would deny the next delegation; null if no limit would deny the delegation. */
  denial(limits: RunLimits): Denial | null;
  readonly availability: Availability;
  /** Last text of the plan that the run has recorded; null before the first reading. */
  planSeen(): string | null;
  /**
   * Append records together, durably unless all of the records can be computed again.
   *
   * @param more `facts`: what a recorded answer is based on; `at`: time of the records in milliseconds since 1970;
   * `hold`: the records may wait for the next append; `onAppended`: called after the append.
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
  /** Delegations that are handed out and have no report yet, by key. */
  handedOut(): Readonly<Record<string, HandedOut>>;
  /** State before an attempt began for the first time; null if the attempt has not begun. */
  baseline(key: AttemptKey): Baseline | null;
  /** Whether this Verify command failed in this run, for any task in the tree. */
  hasFailed(task: TaskId, command: string): boolean;
  /** Last passed run of a command, or the last run if no run passed; null before the first run. */
  lastCheck(command: string): NotedCheck | null;
  lastRun(command: string): KnownRun | null;
  /** Null if Verify was not run before the work. */
  before(task: TaskId): Before | null;
  /** Hash of the workspace files before the first attempt in the task's tree; null if unknown. */
  contentBefore(task: TaskId): string | null;
  /** Hash of the workspace files before an attempt of this turn; null if unknown. */
  found(key: AttemptKey): string | null;
  /** Hash of the workspace files before the first attempt at exactly this task; null if unknown. */
  foundFirst(task: TaskId): string | null;
  /**
   * Hash of the files with which a planned task's worktree began; null if the task has no worktree, or the worktree
   * is merged.
   */
  apart(root: TaskId): string | null;
  /** Whether the last work on a planned task was in a worktree, merged or not. */
  wasApart(root: TaskId): boolean;
  /** Planned tasks that passed in a worktree that is not merged yet. */
  toMerge(): readonly TaskId[];
  race(task: TaskId): RaceSoFar | null;
  /** Why an accepted task is done again; null for other tasks. */
  collision(root: TaskId): Collision | null;
  /** Last attempt in the task's tree after which the workspace content is known; null if there is none. */
  leftIn(task: TaskId): TreeLeft | null;
  /** Names of checks that this command reported as red before the first delegation of the run. */
  redAtFirst(command: string): readonly string[];
  /** Names of checks that were red before the run and are ignored. */
  excused(): readonly Pick<RedCheck, "name" | "id">[];
  /** Last result of a project check for several tasks; null before the first result. */
  checked(): ProjectChecked | null;
  /** Files that `[RED]` tasks made since the last `[GREEN]` task. */
  given(): readonly string[];
  /**
   * Run `act` while no executor works on another task of the batch; no executor starts before `act` ends.
   *
   * @throws {DOMException} `AbortError` if the run is stopped before `act` starts.
   */
  alone<Result>(task: TaskId, act: () => Promise<Result>, signal: AbortSignal): Promise<Result>;
  /** Run `act`, the work of an executor on a batch task, as soon as no `alone` call is running. */
  beside<Result>(task: TaskId, act: () => Promise<Result>): Promise<Result>;
  /** Names of checks that failed and then passed without a change, at least twice. */
  flaky(): ReadonlySet<string>;
  /** Hashes of the changes to a task's proof that a person has accepted. */
  allowed(task: TaskId): readonly string[];
  rootOf(task: TaskId): TaskId;
  /** Tasks of the current batch; empty while a single task runs. */
  batched(): readonly TaskId[];
  /** Checks that were red in the task's tree at any time. */
  reds(task: TaskId): readonly RedCheck[];
  /** Record the answer of `verify` durably, before ticks are cleared because of that answer. */
  conclude(key: AttemptKey, answer: Answer<"verify">, facts: AttemptFacts): Promise<void>;
  /** Whether `recall` knows the attempt, because it belongs to this turn. */
  knows(key: AttemptKey): boolean;
  /** @throws {InvariantError} `attempt-unknown` */
  recall(key: AttemptKey): Promise<AttemptRecord>;
  /** Earlier attempts at the task of `key`, oldest first, for the next prompt. */
  earlier(key: AttemptKey): Promise<readonly EarlierAttempt[]>;
  /** Findings of reviewers, oldest first. */
  findings(task: TaskId): readonly string[];
  /** Tasks with a started executor and a claim that is neither rejected nor recorded as passed. */
  inFlight(): ReadonlySet<TaskId>;
  /**
   * Record a fix task durably before it is written. If the attempt already has a recorded fix task, return the recorded
   * fix task.
   */
  intend(key: AttemptKey, fix: FixTask): Promise<FixTask>;
  /** Recorded fix task of a failed attempt or of another effect; null if there is none. */
  madeFor(attempt: AttemptKey): FixTask | null;
  proofs(): ReadonlyMap<TaskId, Proof>;
  /** Passed tasks in order. `content` is the hash of the workspace files after Verify; null if unknown. */
  passed(): readonly { readonly task: TaskId; readonly content: string | null }[];
  /** Failure that a fix task repairs; null if this run did not write the fix task. */
  intended(fix: TaskId): Pick<FixTask, "error" | "madeFor" | "late"> | null;
  /** Replacement of each superseded fix task. */
  superseded(): ReadonlyMap<TaskId, TaskId>;
  /** Record durably that a fix task is superseded, before it is closed in the plan. */
  noteClosed(fix: TaskId, by: TaskId): Promise<void>;
  /** Record a plan change durably before it is written. */
  plan(key: AttemptKey, planned: PlannedChange): Promise<void>;
  planned(key: AttemptKey): PlannedChange | null;
  /**
   * `count`: number of plan changes that the task requested; `depth`: number of plan changes in the chain that led to
   * the task.
   */
  changesOf(task: TaskId): { readonly count: number; readonly depth: number };
  /** Tasks that must no longer be in a batch. */
  sequential(): ReadonlySet<TaskId>;
  /** Passed tasks without their line in the progress log, each with its commit. */
  unlogged(): ReadonlyMap<TaskId, string | null>;
  /**
   * Start to measure working time; later calls do nothing. Apply the records of earlier starts first.
   *
   * @param now Milliseconds since any fixed moment.
   */
  startClock(now: () => number): void;
  /** Stop measuring working time; the returned function continues it. */
  pause(): () => void;
  /** Amounts that the tasks of a tree have used of their limits. */
  spent(root: TaskId): SpentByTask;
  /** Whether the last fix task of a task is done, and the task has had no attempt since. */
  isRepaired(task: TaskId): boolean;
  /** Open question to a person from the executor of the task or of its part; null if there is none. */
  openQuestion(task: TaskId): string | null;
  /** Number of consecutive tasks with this environment problem, including this task. */
  meets(task: TaskId, trouble: string): number;
  /** First denied act that no person was asked about for this task; null if there is none. */
  newDenial(task: TaskId, denials: readonly DeniedAct[]): DeniedAct | null;
  /** Whether a tool denied an act in another attempt of this turn in the same tree. */
  deniedBefore(key: AttemptKey): boolean;
  escalation(task: TaskId): Escalation;
  /** Followed directives of the repair operator in the task's tree, oldest first. */
  repairs(task: TaskId): readonly Repair[];
  /** Title of a part; null for other tasks. */
  part(task: TaskId): string | null;
  /** Reason for skipping, by planned task. */
  skipped(): ReadonlyMap<TaskId, string>;
  /** Planned tasks whose question is open while the run continues with other tasks. */
  parked(): ReadonlyMap<TaskId, { readonly reason: string; readonly hint: string }>;
  /** A person's guidance for a planned task; null if there is none. */
  guidance(root: TaskId): string | null;
  pullRequest(): Book;
  /**
   * Task for the pull request, recorded under the key of its effect before it is written into the plan; null if there
   * is none.
   */
  addition(key: string): { readonly change: PlanChange; readonly checks: readonly string[] } | null;
  /** Path of the last stuck report, by planned task. */
  reported(): ReadonlyMap<TaskId, string>;
}
