import * as z from "zod";
import { FailureEvidence } from "./failure.ts";
import { Change, FailureSet } from "./failure-set.ts";

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
 * Stuck level of a planned task. `normal`: not stuck; `pivot`: another approach; `research`: gather context first;
 * `race`: several attempts at once; `checkpoint`: stop and ask.
 */
export const Level = z.enum(["normal", "pivot", "research", "race", "checkpoint"]);
export type Level = z.infer<typeof Level>;

/** A failed attempt. `strategy` is the approach in the executor's words; null if the executor named none. */
export const Tried = z.object({ strategy: z.string().nullable(), error: z.string() });
export type Tried = z.infer<typeof Tried>;

/** A failed attempt in the history of a planned task. */
export const Approach = z.object({
  level: Level,
  /** The planned task, a fix task or a part. */
  task: z.string(),
  ...Tried.shape,
  /** Set if the approach came after another level or a restart, so it is not the original approach. */
  later: z.literal(true).optional(),
});
export type Approach = z.infer<typeof Approach>;

/**
 * History of a planned task and its fix tasks, with the fields that the source system tracks in `failure_recovery`.
 * Plain JSON: texts have at most 200 characters, lists 10 entries, `fileStates` 20.
 */
export const Escalation = z.object({
  level: Level,
  /** Number of delegations at the level `pivot`; it never decreases, like `researches` and `races`. */
  pivots: z.int().min(0),
  researches: z.int().min(0),
  races: z.int().min(0),
  /** Failed or rejected attempts, including those before the first level. Only a reset decreases the number. */
  failures: z.int().min(0),
  /** Failed or rejected attempts before a person's last reset; not given if there are none. */
  earlier: z.int().min(1).optional(),
  /** Consecutive failures with the last error. */
  sameErrors: z.int().min(0),
  /** Last known failure set; null before the first set, and after a success. */
  failing: FailureSet.nullable(),
  /** Change from the previous failure set; null if the last failure has no set. */
  change: Change.nullable(),
  /** Number of failures in the previous set; null without a previous set. */
  before: z.int().nullable(),
  /** Names of checks that the previous set has and this set has not; a long list is cut. */
  lost: z.array(z.string()),
  /** Names of checks that this set has and the previous set has not; a long list is cut. */
  gained: z.array(z.string()),
  /** Lowest number of failures so far, by stage of the failure set; empty before the first number. */
  best: z.record(z.string(), z.int()),
  /** Consecutive failures without a new minimum; 1 after the first failure. */
  sinceBest: z.int().min(0),
  evidence: FailureEvidence.nullable(),
  /** Consecutive failures without a file change. */
  unchanged: z.int().min(0),
  /** Fingerprint of the last error; null before the first error, and after a success. */
  lastFingerprint: z.string().nullable(),
  lastError: z.string().nullable(),
  /** File state after each failure, oldest first. */
  fileStates: z.array(z.string()),
  /** The very first approach and the latest approaches, oldest first. */
  approaches: z.array(Approach),
  /**
   * Number of approaches since a level last succeeded or a person last gave guidance. A new approach is compared only
   * with these approaches.
   */
  sinceCalm: z.int().min(0),
  findings: z.array(z.string()),
  /** Whether a question to a person about a retry is open. */
  asked: z.boolean(),
  /** Phrase in which the last failed attempt admits being stuck; null if it contains none. */
  admission: z.string().nullable(),
  /** Why the claim of the last unaccepted attempt was rejected; not given if that attempt failed. */
  rejected: z.string().optional(),
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

export function firstLevel({ pivots, researches, races }: Escalation): Climb["level"] | null {
  if (pivots > 0) return "pivot";
  if (researches > 0) return "research";
  return races > 0 ? "race" : null;
}

/** Level of an attempt, and its number at that level. */
export const Climb = z.object({
  level: z.enum(["pivot", "research", "race"]),
  attempt: z.int().min(1),
  max: z.int().min(1),
});
export type Climb = z.infer<typeof Climb>;

/** A failed attempt, with signs that it is stuck or makes progress. Texts are untrusted. */
export interface FailedAttempt {
  readonly error: string;
  /** Stable name of the error; computed from `error` if not given. */
  readonly fingerprint?: string;
  readonly strategy?: string | null;
  readonly findings?: readonly string[];
  /** Phrase in which the executor admits being stuck. */
  readonly admission?: string | null;
  /** Fingerprint of the files and commits. */
  readonly fileState?: string | null;
  readonly changed?: boolean | null;
}

/** Events from an orchestrator that delegates tasks itself. A wait is not an attempt and has no event. */
export type EscalationEvent =
  | { readonly type: "attempt.failed"; readonly failure: FailedAttempt }
  /** The claim of an attempt was rejected. */
  | { readonly type: "attempt.rejected" }
  | { readonly type: "attempt.passed" }
  /** The orchestrator has used all its own remedies, whether or not the task is stuck. */
  | { readonly type: "attempts.exhausted" };
