import type { Level } from "./escalation.ts";
import type { Progress, RunEnded, RunEnding, RunEvent } from "./event.ts";
import type { Proof } from "./evidence.ts";
import type { UnheardWord } from "./person-event.ts";
import type { TaskId } from "./task.ts";

/** Where one task of a plan stands. */
export interface TaskStatus {
  readonly id: TaskId;
  readonly title: string;
  readonly state: "open" | "running" | "passed" | "failed" | "skipped" | "superseded";
  /** Line of its box, counted from 1. */
  readonly line: number;
  /** Generations of fixes between it and its root task, 0 for the root itself. */
  readonly depth: number;
  /** Attempts at it since it last began anew, those at a level of being stuck included. */
  readonly attempts: number;
  /** How far a planned task has climbed while stuck; a fix is at the level of its root task, and has none here. */
  readonly level: Level;
  /** Delegations in its tree with a different approach, after gathering context, and side by side. */
  readonly pivots: number;
  readonly researches: number;
  readonly races: number;
  /** The fix tasks made for it. */
  readonly fixes: readonly TaskId[];
  /** What its last attempt failed with; null when none did. */
  readonly lastError: string | null;
  /** How much of what Verify checks failed last in the tree of a planned task; null when nobody says, and for a fix. */
  readonly progress: Progress;
  /** What has shown that it is done; null while it is open, and where this run has not accepted it. */
  readonly proof: Proof | null;
  /** Why it is left out; null when it is not, or only because it belongs to one that is. */
  readonly justification: string | null;
}

/** The last record of a journal, which was finished and has been altered since. */
export interface DamagedRecord {
  /** Of the file. */
  readonly path: string;
  /** Its number in the run, from 1. */
  readonly record: number;
}

/** Where the pull request of a run stands, as it was seen last. */
export interface PullRequestStatus {
  readonly number: number;
  readonly url: string;
  /** Full hash of the commit that was pushed or taken over last. */
  readonly head: string | null;
  /** Whether the last look at that head has found nothing wrong. */
  readonly green: boolean;
  /** What is waited for, and until when at most, in milliseconds since 1970; null when nothing is. */
  readonly waiting: { readonly reason: string; readonly until: number } | null;
  /** Tasks that were added, by what for. */
  readonly added: { readonly checks: number; readonly threads: number; readonly conflicts: number };
}

/** Where a run stands, without it having to be alive. */
export interface RunStatus {
  readonly spec: string;
  readonly total: number;
  readonly completed: number;
  /** Number of the run it is told of, from 1; 0 before the first. */
  readonly run: number;
  /** Delegations of the whole run. */
  readonly iterations: number;
  /** What the whole run has used, as far as executors have said it. */
  readonly spent: { readonly elapsedMs: number; readonly costUsd: number; readonly tokens: number };
  /** How the last start ended; null before the first start and while one is alive. */
  readonly outcome: RunEnding | null;
  /** Whether the last start was killed before it could tell an end. */
  readonly killed: boolean;
  /** The coordinator that holds the spec. */
  readonly running: { readonly pid: number } | null;
  /** Whether that one begins nothing more until it is resumed. */
  readonly paused: boolean;
  /** Whether a start goes on with this run instead of beginning one. */
  readonly resumable: boolean;
  /** What `next` has handed out and nobody has reported yet, by key, and since when, in ISO 8601. */
  readonly handedOut: readonly { readonly key: string; readonly since: string }[];
  /** What calls of the run itself have said to it, which was refused, oldest first; `at` in ISO 8601. */
  readonly unheard: readonly (UnheardWord & { readonly at: string })[];
  /** What a person has to answer before it can go on; null when nothing is asked. */
  readonly question: { readonly text: string; readonly hint: string | null } | null;
  /** The pull request of the run; null where it has none. */
  readonly pullRequest: PullRequestStatus | null;
  /** What of the journal does not count though it was recorded; null when all does. */
  readonly damaged: DamagedRecord | null;
  /** In plan order. */
  readonly tasks: readonly TaskStatus[];
}

/** What people are told of a record that does not count though it was recorded. */
export const tellDamage = ({ path, record }: DamagedRecord): string =>
  `The last record of the journal is damaged: record ${record} in \`${path}\` does not count, though it was written whole`;

/**
 * What a command of the user is told of: a question to a person, by the name of its event or as `checkpoint`; or how
 * the run has ended, unless a person has ended it.
 */
export type NotifiedOf = "person.asked" | Exclude<RunEnding, "cancelled" | "interrupted">;

/** What it is told that from. */
export type NotifiedEvent = RunEnded | Extract<RunEvent, { type: "person.asked" }>;

/** What a command of the user is told. Texts of others are in one line, with what is invisible as visible escapes. */
export interface Notification {
  readonly event: NotifiedOf;
  /** ISO 8601. */
  readonly at: string;
  /** Name and absolute folder of the spec. */
  readonly spec: string;
  readonly folder: string;
  /** Absolute. */
  readonly workspace: string;
  /** Number of the run of the spec. */
  readonly run: number;
  /** The task that a person is asked about, and its title; null for the end of a run. */
  readonly task: string | null;
  readonly title: string | null;
  /** What has happened, in one line. */
  readonly message: string;
  /** What to do next; null when there is nothing to do. */
  readonly hint: string | null;
}
