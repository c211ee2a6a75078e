import type { Level } from "./escalation.ts";
import type { Progress, RunEnded, RunEnding, RunEvent } from "./event.ts";
import type { Proof } from "./evidence.ts";
import type { UnheardWord } from "./person-event.ts";
import type { TaskId } from "./task.ts";

/** Status of one task of a plan. */
export interface TaskStatus {
  readonly id: TaskId;
  readonly title: string;
  readonly state: "open" | "running" | "passed" | "failed" | "skipped" | "superseded";
  /** Line of the task's box, from 1. */
  readonly line: number;
  /** Number of fixes from the root task down to this task; 0 for the root. */
  readonly depth: number;
  /** Number of the task's last attempt; 0 if there is none. */
  readonly attempts: number;
  /** Stuck level of a planned task; always `normal` for a fix, which shares the level of its root. */
  readonly level: Level;
  /** Number of delegations in the tree that tried another approach. */
  readonly pivots: number;
  /** Number of delegations in the tree that gathered context first. */
  readonly researches: number;
  /** Number of delegations in the tree that were part of a race. */
  readonly races: number;
  /** The task's fix tasks. */
  readonly fixes: readonly TaskId[];
  /** Error of the task's last attempt; null if no attempt failed. */
  readonly lastError: string | null;
  /** Failing checks after the last attempt in a planned task's tree; null if unknown, and for a fix. */
  readonly progress: Progress;
  /** The proof that the task is done; null while it is open, or if this run did not accept it. */
  readonly proof: Proof | null;
  /** Why the task is skipped; null if the task is not skipped, or is skipped only because its parent is. */
  readonly justification: string | null;
}

/** The last record of a journal, if it was changed after it was written. */
export interface DamagedRecord {
  /** Path of the journal file. */
  readonly path: string;
  /** Number of the record in the run, from 1. */
  readonly record: number;
}

/** State of a run's pull request, as last seen. */
export interface PullRequestStatus {
  readonly number: number;
  readonly url: string;
  /** Full hash of the commit that was last pushed or adopted. */
  readonly head: string | null;
  /** Whether the last look at that head found nothing wrong. */
  readonly green: boolean;
  /** Reason of a wait, and the latest time at which it ends, in milliseconds since 1970; null if there is no wait. */
  readonly waiting: { readonly reason: string; readonly until: number } | null;
  /** Number of added tasks, by cause. */
  readonly added: { readonly checks: number; readonly threads: number; readonly conflicts: number };
}

/** Status of a run, whether or not one of its starts is in progress. */
export interface RunStatus {
  readonly spec: string;
  readonly total: number;
  readonly completed: number;
  /** Run number, from 1; 0 before the first run. */
  readonly run: number;
  /** Delegations of the whole run. */
  readonly iterations: number;
  /** Usage of the whole run, as far as executors reported it. */
  readonly spent: { readonly elapsedMs: number; readonly costUsd: number; readonly tokens: number };
  /** How the last start ended; null before the first start, and while a start is running. */
  readonly outcome: RunEnding | null;
  /** Whether the last start was killed before it recorded an end. */
  readonly killed: boolean;
  /** The coordinator that holds the spec. */
  readonly running: { readonly pid: number } | null;
  /** Whether the run is paused. */
  readonly paused: boolean;
  /** Whether a start would resume this run instead of beginning a new run. */
  readonly resumable: boolean;
  /** Delegations handed out by `next` and not reported yet, by key, with their ISO 8601 times. */
  readonly handedOut: readonly { readonly key: string; readonly since: string }[];
  /** Rejected messages from the run's own processes, oldest first; `at` in ISO 8601. */
  readonly unheard: readonly (UnheardWord & { readonly at: string })[];
  /** The question to answer before the run can continue; null if there is none. */
  readonly question: { readonly text: string; readonly hint: string | null } | null;
  /** The pull request of the run; null if there is none. */
  readonly pullRequest: PullRequestStatus | null;
  /** A damaged record that is ignored; null if there is none. */
  readonly damaged: DamagedRecord | null;
  /** In plan order. */
  readonly tasks: readonly TaskStatus[];
}

/** Describe a damaged record for people. */
export const renderDamage = ({ path, record }: DamagedRecord): string =>
  `The last record of the journal is damaged: record ${record} in \`${path}\` is ignored, because it was changed after it was written`;

/**
 * Reason for calling the user's notify command: a question to a person (`person.asked` or `checkpoint`), or the end of
 * a run, unless a person ended it.
 */
export type NotifiedOf = "person.asked" | Exclude<RunEnding, "cancelled" | "interrupted">;

/** The event that a notification reports. */
export type NotifiedEvent = RunEnded | Extract<RunEvent, { type: "person.asked" }>;

/** A notification for a user's command. Foreign texts are on one line, with invisible characters escaped. */
export interface Notification {
  readonly event: NotifiedOf;
  /** ISO 8601. */
  readonly at: string;
  /** Name and absolute folder of the spec. */
  readonly spec: string;
  readonly folder: string;
  /** Absolute path. */
  readonly workspace: string;
  /** Run number within the spec. */
  readonly run: number;
  /** Id and title of the task in question; null for the end of a run. */
  readonly task: string | null;
  readonly title: string | null;
  /** The event or outcome, in one line. */
  readonly message: string;
  /** Advice for the user; null if there is none. */
  readonly hint: string | null;
}
