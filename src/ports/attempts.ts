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

/** Which executors of each role can work. */
export interface Availability {
  /** Of these executors of a role the first that can work now; the one that can soonest when none can. */
  choose(role: Role, executors: readonly number[], now: number): number;
  /**
   * When one can work: `now` or a later time; null when only a person can help.
   *
   * @param but An attempt whose executor cannot work until then, which is not recorded yet.
   */
  nextFree(
    role: Role,
    executors: readonly number[],
    now: number,
    but?: { readonly attempt: AttemptKey; readonly until: number | null },
  ): number | null;
  /**
   * How long the run has waited for executors, in whole milliseconds. Time within this start is measured by a monotonic
   * clock, so that a wall clock that is set does not change it.
   *
   * @param since In milliseconds since 1970: `now`, or what was said to be that before.
   * @param most What other starts can have waited at most.
   */
  waitedSince(since: number, now: number, most?: number): number;
}

/**
 * The memory of a run: what can be asked of its state, and what is recorded before it happens. What an effect answers
 * is recorded when it has answered, and changes the state then.
 */
export interface Attempts {
  /** Tasks are open; the first number given counts, where nobody has said how many were when the run began. */
  opened(tasks: () => number): void;
  /** Admit a delegation and record it durably before it starts, or answer the limit that denies it. */
  admit(delegation: AdmittedDelegation, limits: RunLimits): Promise<Denial | null>;
  /** The limit that would deny one more delegation. */
  denial(limits: RunLimits): Denial | null;
  readonly availability: Availability;
  /** The text of the plan as the run knows it; null before its first look. */
  planSeen(): string | null;
  /**
   * Record what has happened: all of it becomes true together, and is durable unless it is an answer alone.
   *
   * @param facts What the answer among the records was made from; `at`: when it was given, in milliseconds since 1970;
   *   `hold`: whether it may be appended together with what is recorded next; `onAppended`: called once it is.
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
  /** What is handed out and not reported yet, by the keys of delegations. */
  handedOut(): Readonly<Record<string, HandedOut>>;
  /** How things stood when an attempt was begun first; null for one that was not. */
  baseline(key: AttemptKey): Baseline | null;
  /** Whether a command that checks a task, or another one of its tree, has failed in this run. */
  hasFailed(task: TaskId, command: string): boolean;
  /** The last run of a command that passed, else the last that failed; null where this run knows of none. */
  lastCheck(command: string): NotedCheck | null;
  /** The last run of a command; null where this run knows of none. */
  lastRun(command: string): KnownRun | null;
  /** What the Verify of a task said before the work on it; null where that was not looked at yet. */
  before(task: TaskId): Before | null;
  /** Name of the content of the workspace before the first attempt in the tree of a task; null where it is not known. */
  contentBefore(task: TaskId): string | null;
  /** Name of that content as an attempt of this turn found it; null where it is not known. */
  found(key: AttemptKey): string | null;
  /** Name of that content as the first attempt at a task itself found it; null where it is not known. */
  foundFirst(task: TaskId): string | null;
  /**
   * Name of the content that a planned task began with apart from the workspace; null for one that works in that, and once
   * it is merged.
   */
  apart(root: TaskId): string | null;
  /** Whether a planned task was worked on apart from the workspace last, merged or not. */
  wasApart(root: TaskId): boolean;
  /** Planned tasks that have passed apart from the workspace, and are still to be merged into it. */
  toMerge(): readonly TaskId[];
  /** The race that a task is in; null where it is in none. */
  race(task: TaskId): RaceSoFar | null;
  /** Why a planned task is done once more though it was accepted; null for any other. */
  collision(root: TaskId): Collision | null;
  /** The last attempt in the tree of a task of which it is known what it left; null without one. */
  leftIn(task: TaskId): TreeLeft | null;
  /** Checks of a command that were red before the first delegation of the run, by name. */
  redAtFirst(command: string): readonly string[];
  /** Checks that were red before the run and count for nothing in it, by name. */
  excused(): readonly Pick<RedCheck, "name" | "id">[];
  /** What the check of the project said last where it is run for several tasks; null before. */
  checked(): ProjectChecked | null;
  /** Files that `[RED]` tasks have made since the last `[GREEN]` one. */
  given(): readonly string[];
  /**
   * Do something for a task of a batch while no executor of another one is at work, and none begins.
   *
   * @throws {DOMException} `AbortError` when the run is stopped before that.
   */
  alone<Result>(task: TaskId, act: () => Promise<Result>, signal: AbortSignal): Promise<Result>;
  /** Do something for a task of a batch once nothing is done alone: work of an executor. */
  beside<Result>(task: TaskId, act: () => Promise<Result>): Promise<Result>;
  /** Checks that have twice failed and then passed without a change. */
  flaky(): ReadonlySet<string>;
  /** Changes of what proves a task that a person has accepted, by name of their bytes. */
  allowed(task: TaskId): readonly string[];
  /** The planned task in whose tree a task is. */
  rootOf(task: TaskId): TaskId;
  /** The batch that is under way; empty while a task is done on its own. */
  batched(): readonly TaskId[];
  /** Checks that were red in the tree of a task at any time. */
  reds(task: TaskId): readonly RedCheck[];
  /** Record durably what the claim of an attempt is answered, before the ticks go that the verdict was made from. */
  conclude(key: AttemptKey, answer: Answer<"verify">, facts: AttemptFacts): Promise<void>;
  /** Whether an attempt can be recalled: it was made in this turn. */
  knows(key: AttemptKey): boolean;
  /** @throws {InvariantError} `attempt-unknown` */
  recall(key: AttemptKey): Promise<AttemptRecord>;
  /** What the attempts on a task before `key` ended with, oldest first, for the next prompt. */
  earlier(key: AttemptKey): Promise<readonly EarlierAttempt[]>;
  /** What reviewers found in a task before, oldest first. */
  findings(task: TaskId): readonly string[];
  /** Tasks whose executors have begun, until their claims are turned down or their passes are recorded. */
  inFlight(): ReadonlySet<TaskId>;
  /** Record a fix task durably before it is written; answers the one that was recorded for that attempt already. */
  intend(key: AttemptKey, fix: FixTask): Promise<FixTask>;
  /** The fix task that is intended for a failed attempt, or by another effect; null without one. */
  madeFor(attempt: AttemptKey): FixTask | null;
  /** What has shown that the tasks are done which it has accepted. */
  proofs(): ReadonlyMap<TaskId, Proof>;
  /** Tasks that have passed, in that order, each with the content of the workspace that its Verify has left; null: not known. */
  passed(): readonly { readonly task: TaskId; readonly content: string | null }[];
  /** What a fix task was made for; null for one this run did not make. */
  intended(fix: TaskId): Pick<FixTask, "error" | "madeFor" | "late"> | null;
  /** Fix tasks that others have taken the place of, and those. */
  superseded(): ReadonlyMap<TaskId, TaskId>;
  /** Record durably that a fix task is not to be done any more, before it is closed in the plan. */
  noteClosed(fix: TaskId, by: TaskId): Promise<void>;
  /** Record a change of the plan durably before it is written. */
  plan(key: AttemptKey, planned: PlannedChange): Promise<void>;
  /** The change that was recorded for an attempt; null without one. */
  planned(key: AttemptKey): PlannedChange | null;
  /** Changes of the plan that a task has asked for, and generations of them above it. */
  changesOf(task: TaskId): { readonly count: number; readonly depth: number };
  /** Tasks that are never batched again. */
  sequential(): ReadonlySet<TaskId>;
  /** Tasks that have passed whose lines are still to be written into the progress log, each with its commit. */
  unlogged(): ReadonlyMap<TaskId, string | null>;
  /**
   * Measure the working time of this start from now on, where nobody does it yet; records of earlier starts are applied by
   * then.
   *
   * @param now In milliseconds since any fixed moment.
   */
  startClock(now: () => number): void;
  /** The working time of the run stands still until what this answers is called. */
  pause(): () => void;
  /** What the tree of a root task has spent. */
  spent(root: TaskId): SpentByTask;
  /** Whether the last fix of a task whose turn it is was done, and the task was not tried since. */
  isRepaired(task: TaskId): boolean;
  /** The open question to a person that the executor of a task, or of a part of it, has asked; null without one. */
  openQuestion(task: TaskId): string | null;
  /** How many tasks in a row the same trouble of the environment has met, this one included. */
  meets(task: TaskId, trouble: string): number;
  /** The first of the acts that a tool did not allow, which no person was asked about for this task; null when none. */
  newDenial(task: TaskId, denials: readonly DeniedAct[]): DeniedAct | null;
  /** Whether a tool did not allow something in another attempt of this turn in the same tree. */
  deniedBefore(key: AttemptKey): boolean;
  /** How stuck the tree is that a task is in. */
  escalation(task: TaskId): Escalation;
  /** Directives of the repair operator for the tree that a task is in, oldest first. */
  repairs(task: TaskId): readonly Repair[];
  /** What a part of a decomposed task is to do; null for a task that is no such part. */
  part(task: TaskId): string | null;
  /** Planned tasks that are left out, and why. */
  skipped(): ReadonlyMap<TaskId, string>;
  /** Planned tasks that wait for a person, and are not taken up again, each with its question. */
  parked(): ReadonlyMap<TaskId, { readonly reason: string; readonly hint: string }>;
  /** What a person has advised for a planned task; null when nobody has. */
  guidance(root: TaskId): string | null;
  /** What was done for the pull request of the run. */
  pullRequest(): Book;
  /** The task for it that was recorded under this key before it is written into the plan; null without one. */
  addition(key: string): { readonly change: PlanChange; readonly checks: readonly string[] } | null;
  /** Where the reports of planned tasks were written to in this run. */
  reported(): ReadonlyMap<TaskId, string>;
}
