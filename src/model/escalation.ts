import * as z from "zod";
import { FailureEvidence } from "./failure.ts";
import { Change, FailureSet } from "./failure-set.ts";

/** Why a task counts as stuck. */
export const StuckReason = z.enum([
  "same-error",
  "no-progress",
  "no-change",
  "state-again",
  "strategy-again",
  "admission",
]);
export type StuckReason = z.infer<typeof StuckReason>;

/** How far a planned task has climbed while stuck: a different approach, context first, several at once, stop and ask. */
export const Level = z.enum(["normal", "pivot", "research", "race", "checkpoint"]);
export type Level = z.infer<typeof Level>;

/** One failed attempt: what was tried, as far as the executor named it, and what came of it. */
export const Approach = z.object({
  level: Level,
  /** The task of the tree that was tried. */
  task: z.string(),
  /** What the executor says it tried; null when it does not. */
  strategy: z.string().nullable(),
  error: z.string(),
  /** It came after another level, or after the task began anew: it is not the original approach. */
  later: z.literal(true).optional(),
});
export type Approach = z.infer<typeof Approach>;

/**
 * What a planned task and the fixes below it have been through. The tracked fields of the source system's
 * `failure_recovery`; texts have at most 200 characters, lists at most 10 entries, file states 20. Plain JSON.
 */
export const Escalation = z.object({
  level: Level,
  /** Delegations made at each level. Never fall. */
  pivots: z.int().min(0),
  researches: z.int().min(0),
  races: z.int().min(0),
  /** Attempts that were not accepted, those before the first level included. Never falls. */
  failures: z.int().min(0),
  /** Failures in a row with the last error. */
  sameErrors: z.int().min(0),
  /** The last set of failed checks; null before the first that is known, and after a success. */
  failing: FailureSet.nullable(),
  /** How that came out of the one before; null where the last failure has none. */
  change: Change.nullable(),
  /** How many checks failed in the one before; null without one. */
  before: z.int().nullable(),
  /** Names of checks that fail no more since then, and that fail only since then; of many the first. */
  lost: z.array(z.string()),
  gained: z.array(z.string()),
  /** The smallest number of failed checks so far, by stage; empty before the first that is known. */
  best: z.record(z.string(), z.int()),
  /** Failures in a row that reached no new minimum. The first failure counts. */
  sinceBest: z.int().min(0),
  /** What the last failed attempt has left to look at; null without one. */
  evidence: FailureEvidence.nullable(),
  /** Failures in a row that changed no file. */
  unchanged: z.int().min(0),
  /** Fingerprint of the last error; null before the first and after a success. */
  lastFingerprint: z.string().nullable(),
  lastError: z.string().nullable(),
  /** State of the files after each failure, oldest first. */
  fileStates: z.array(z.string()),
  /** What was tried, oldest first: the first of all, and the last ones. */
  approaches: z.array(Approach),
  /** How many of those were tried since the last climb succeeded or a person gave advice: only they can be repeated. */
  sinceCalm: z.int().min(0),
  /** What executors say they have found out, oldest first. */
  findings: z.array(z.string()),
  /** A person was asked whether it is tried again, and has not answered. */
  asked: z.boolean(),
  /** The phrase with which the last failed attempt admits to be at a loss; null without one. */
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

/** The first level that attempts were made at; null at none. */
export function firstLevel({ pivots, researches, races }: Escalation): Climb["level"] | null {
  if (pivots > 0) return "pivot";
  if (researches > 0) return "research";
  return races > 0 ? "race" : null;
}

/** A level that an attempt is made at, and which of its attempts this is. */
export const Climb = z.object({
  level: z.enum(["pivot", "research", "race"]),
  attempt: z.int().min(1),
  max: z.int().min(1),
});
export type Climb = z.infer<typeof Climb>;

/** What an attempt failed with, and what it shows of being stuck or getting on. Texts are untrusted. */
export interface FailedAttempt {
  readonly error: string;
  /** Stable name of the error; made from it when not given. */
  readonly fingerprint?: string;
  /** What the executor says it tried. */
  readonly strategy?: string | null;
  /** What it says it has found out. */
  readonly findings?: readonly string[];
  /** The phrase with which it admits to be at a loss. */
  readonly admission?: string | null;
  /** Name of the state of the files, commits included. */
  readonly fileState?: string | null;
  /** Whether the attempt has changed that. */
  readonly changed?: boolean | null;
}

/** What an orchestrator that works on tasks itself says of its attempts. Waiting is none, and not said. */
export type EscalationEvent =
  | { readonly type: "attempt.failed"; readonly failure: FailedAttempt }
  /** It claimed to be done, and its claim was not in order. */
  | { readonly type: "attempt.rejected" }
  | { readonly type: "attempt.passed" }
  /** Nothing is left of what the orchestrator tries itself, stuck or not. */
  | { readonly type: "attempts.exhausted" };
