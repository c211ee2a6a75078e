import type { RunEnded, RunEnding, RunEvent } from "./event.ts";

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
