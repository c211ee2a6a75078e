import type { Level } from "./escalation.ts";
import type { Progress, RunEnded, RunEnding, RunEvent } from "./event.ts";
import type { Proof } from "./evidence.ts";
import type { UnheardWord } from "./person-event.ts";
import type { TaskId } from "./task.ts";

export interface TaskStatus {
  readonly id: TaskId;
  readonly title: string;
  readonly state: "open" | "running" | "passed" | "failed" | "skipped" | "superseded";
  /** Line of the task's box, from 1. */
  readonly line: number;
  /** Number of fix generations below the root task; 0 for the root task. */
  readonly depth: number;
  /** Number of the last attempt; 0 before the first. */
  readonly attempts: number;
  /** Stuck level of a planned task; always `normal` for a fix task, since only its root task has a level. */
  readonly level: Level;
  /** Number of attempts in the tree at the level `pivot`. */
  readonly pivots: number;
  /** Number of attempts in the tree at the level `research`. */
  readonly researches: number;
  /** Number of attempts in the tree that were part of a race. */
  readonly races: number;
  readonly fixes: readonly TaskId[];
  /** Error of the task's last attempt; null if no attempt failed. */
  readonly lastError: string | null;
  /** Failing checks after the last attempt in the tree; null if unknown, and for a fix task. */
  readonly progress: Progress;
  /** Proof of the task; null unless this run accepted the task. */
  readonly proof: Proof | null;
  /** Reason for skipping this task; null if the task is not skipped, or is skipped only along with its parent. */
  readonly justification: string | null;
}

/** The last record of a journal, if the record was changed after it was written. */
export interface DamagedRecord {
  readonly path: string;
  /** Number of the record in the run, from 1. */
  readonly record: number;
}

/** State of the pull request when the run last read it. */
export interface PullRequestStatus {
  readonly number: number;
  readonly url: string;
  /** Full hash of the last commit that the run pushed or adopted. */
  readonly head: string | null;
  /** Whether the run found nothing wrong at `head`. */
  readonly green: boolean;
  /** Why the run waits, and until when at most (milliseconds since 1970); null without a wait. */
  readonly waiting: { readonly reason: string; readonly until: number } | null;
  /** Number of tasks added for red checks, threads and conflicts. */
  readonly added: { readonly checks: number; readonly threads: number; readonly conflicts: number };
}

/** Status of a run, whether or not a start is running. */
export interface RunStatus {
  readonly spec: string;
  /** Number of planned tasks, without fix tasks. */
  readonly total: number;
  readonly completed: number;
  /** Run number, from 1; 0 before the first run. */
  readonly run: number;
  /** Delegations of all starts of the run. */
  readonly iterations: number;
  /** Usage of the whole run, as far as executors reported it. */
  readonly spent: { readonly elapsedMs: number; readonly costUsd: number; readonly tokens: number };
  /** How the last start ended; null before the first start, and while a start is running. */
  readonly outcome: RunEnding | null;
  /** Whether the last start was killed before it recorded an outcome. */
  readonly killed: boolean;
  /** Coordinator that has the lease of the spec; null if no start is running. */
  readonly running: { readonly pid: number } | null;
  readonly paused: boolean;
  /** Whether the next start resumes this run instead of beginning a new run. */
  readonly resumable: boolean;
  /** Delegations that `next` handed out and that have no report yet, by key; `since` in ISO 8601. */
  readonly handedOut: readonly { readonly key: string; readonly since: string }[];
  /** Rejected messages from the run's own processes, oldest first; `at` in ISO 8601. */
  readonly unheard: readonly (UnheardWord & { readonly at: string })[];
  /** Question that must be answered before the run continues; null if there is none. */
  readonly question: { readonly text: string; readonly hint: string | null } | null;
  readonly pullRequest: PullRequestStatus | null;
  /** Damaged record at the end of the journal, which is ignored; null if there is none. */
  readonly damaged: DamagedRecord | null;
  /** In plan order. */
  readonly tasks: readonly TaskStatus[];
}

export const renderDamage = ({ path, record }: DamagedRecord): string =>
  `The last record of the journal is damaged: record ${record} in \`${path}\` is ignored, because it was changed after it was written`;

/**
 * Event for which the user's notify command is called: a question (`person.asked` or `checkpoint`), or the end of a
 * run, unless a person ended the run.
 */
export type NotifiedOf = "person.asked" | Exclude<RunEnding, "cancelled" | "interrupted">;

export type NotifiedEvent = RunEnded | Extract<RunEvent, { type: "person.asked" }>;

/** Content of a notification. Texts from outside are one line, with invisible characters escaped. */
export interface Notification {
  readonly event: NotifiedOf;
  /** ISO 8601. */
  readonly at: string;
  /** Name of the spec; `folder` is its absolute path. */
  readonly spec: string;
  readonly folder: string;
  /** Absolute path. */
  readonly workspace: string;
  /** Number of the run, from 1. */
  readonly run: number;
  /** Id of the task that the question is about; null at the end of a run. */
  readonly task: string | null;
  readonly title: string | null;
  /** One line. */
  readonly message: string;
  readonly hint: string | null;
}
