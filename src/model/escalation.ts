import * as z from "zod";
import { FailureEvidence } from "./failure.ts";
import { Change, FailureSet } from "./failure-set.ts";

/** Reason why a task counts as stuck. */
export const StuckReason = z.enum([
  "same-error",
  "no-progress",
  "no-change",
  "state-again",
  "strategy-again",
  "admission",
]);
export type StuckReason = z.infer<typeof StuckReason>;

/**
 * Stuck level of a planned task: not stuck, another approach, context first, several attempts at once, stop and ask.
 */
export const Level = z.enum(["normal", "pivot", "research", "race", "checkpoint"]);
export type Level = z.infer<typeof Level>;

/** A failed attempt: its approach in the executor's words (null if it named none), and its error. */
export const Tried = z.object({ strategy: z.string().nullable(), error: z.string() });
export type Tried = z.infer<typeof Tried>;

/** One failed attempt. */
export const Approach = z.object({
  level: Level,
  /** The attempted task of the tree. */
  task: z.string(),
  ...Tried.shape,
  /** Whether another level or a restart came before, so that this is not the original approach. */
  later: z.literal(true).optional(),
});
export type Approach = z.infer<typeof Approach>;

/**
 * History of a planned task and its fixes. Has the fields that the source system tracks in `failure_recovery`. Texts
 * have at most 200 characters, lists 10 entries, file states 20. Plain JSON.
 */
export const Escalation = z.object({
  level: Level,
  /** Delegations at the level `pivot`. Like the counts of the other levels, this one never decreases. */
  pivots: z.int().min(0),
  researches: z.int().min(0),
  races: z.int().min(0),
  /** Unaccepted attempts, including those before the first level. Only a reset decreases the number. */
  failures: z.int().min(0),
  /** Unaccepted attempts before a person's last reset; not given if there are none. */
  earlier: z.int().min(1).optional(),
  /** Failures in a row with the last error. */
  sameErrors: z.int().min(0),
  /** The last failure set; null until a set is known, and after a success. */
  failing: FailureSet.nullable(),
  /** Change from the previous failure set; null if the last failure has no set. */
  change: Change.nullable(),
  /** Number of failures in the previous set; null if there is none. */
  before: z.int().nullable(),
  /** Names of checks that stopped failing since the previous set; a long list is cut. */
  lost: z.array(z.string()),
  /** Names of checks that started to fail since the previous set; a long list is cut. */
  gained: z.array(z.string()),
  /** Minimum number of failures so far, by stage; empty before the first known number. */
  best: z.record(z.string(), z.int()),
  /** Failures in a row without a new minimum. The first failure counts. */
  sinceBest: z.int().min(0),
  /** Evidence of the last failed attempt; null if there is none. */
  evidence: FailureEvidence.nullable(),
  /** Failures in a row without a file change. */
  unchanged: z.int().min(0),
  /** Fingerprint of the last error; null before the first error, and after a success. */
  lastFingerprint: z.string().nullable(),
  lastError: z.string().nullable(),
  /** File state after each failure, oldest first. */
  fileStates: z.array(z.string()),
  /** Approaches, oldest first: the very first one, and the last ones. */
  approaches: z.array(Approach),
  /**
   * Number of approaches since a level last succeeded or a person last gave guidance; a new approach is compared only
   * with these.
   */
  sinceCalm: z.int().min(0),
  /** Findings of executors, oldest first. */
  findings: z.array(z.string()),
  /** Whether a person was asked about a retry and has not answered. */
  asked: z.boolean(),
  /** The phrase in which the last failed attempt admitted being stuck; null if there is none. */
  admission: z.string().nullable(),
});
export type Escalation = z.infer<typeof Escalation>;

export const noEscalation: Escalation = {
  level: "normal",
  pivots: 0,
  researches: 0,
  races: 0,
  failures: 0,
  sameErrors: 0,
  failing: null,
  change: null,
  before: null,
  lost: [],
  gained: [],
  best: {},
  sinceBest: 0,
  evidence: null,
  unchanged: 0,
  lastFingerprint: null,
  lastError: null,
  fileStates: [],
  approaches: [],
  sinceCalm: 0,
  findings: [],
  asked: false,
  admission: null,
};

/** The first level with attempts; null if there is none. */
export function firstLevel({ pivots, researches, races }: Escalation): Climb["level"] | null {
  if (pivots > 0) return "pivot";
  if (researches > 0) return "research";
  return races > 0 ? "race" : null;
}

/** The level of an attempt, and its number at that level. */
export const Climb = z.object({
  level: z.enum(["pivot", "research", "race"]),
  attempt: z.int().min(1),
  max: z.int().min(1),
});
export type Climb = z.infer<typeof Climb>;

/** A failed attempt, with its signs of being stuck or of progress. Texts are untrusted. */
export interface FailedAttempt {
  readonly error: string;
  /** Stable name of the error; derived from `error` if not given. */
  readonly fingerprint?: string;
  /** The approach in the executor's words. */
  readonly strategy?: string | null;
  /** Findings of the executor. */
  readonly findings?: readonly string[];
  /** The phrase in which the executor admits being stuck. */
  readonly admission?: string | null;
  /** Fingerprint of the files and commits. */
  readonly fileState?: string | null;
  /** Whether the attempt changed the file state. */
  readonly changed?: boolean | null;
}

/** Events from an orchestrator that works on tasks itself. A wait is not an attempt, so no event is sent for it. */
export type EscalationEvent =
  | { readonly type: "attempt.failed"; readonly failure: FailedAttempt }
  /** The claim of an attempt was rejected. */
  | { readonly type: "attempt.rejected" }
  | { readonly type: "attempt.passed" }
  /** The orchestrator has used up its own remedies, whether the task is stuck or not. */
  | { readonly type: "attempts.exhausted" };
