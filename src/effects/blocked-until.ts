import type { FailureKind } from "../model/failure.ts";

/** First pause before retrying an executor that does not report when it works again. */
const firstPauseMs = 60_000;
/** Longest pause before retrying an executor that does not report when it works again. */
const longestPauseMs = 30 * 60_000;
/** Shortest pause, whatever an executor reports; a pause of zero would retry in a busy loop. */
export const leastPauseMs = 1000;

const pauseAfter = (waits: number): number => Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(waits, 10));

/** Total of the first `waits` pauses, in milliseconds, for an executor whose limit has no known end. */
export const mostWaited = (waits: number): number =>
  Array.from({ length: waits }, (_, before) => pauseAfter(before)).reduce((sum, pause) => sum + pause, 0);

export const passes = (kind: FailureKind): boolean => kind === "rate-limit" || kind === "offline";

/**
 * Time of the next retry of an executor, in milliseconds since 1970; null if only a person can help.
 *
 * @param told Time at which the executor expects to work again; null if it gives no time.
 * @param waits Number of earlier waits.
 * @param givenUpAt Time at which to stop waiting for an executor that gives no time.
 */
export function blockedUntil(
  kind: FailureKind,
  told: number | null,
  now: number,
  waits: number,
  givenUpAt = Number.POSITIVE_INFINITY,
): number | null {
  if (kind === "startup") return told;
  if (!passes(kind)) return null;
  if (told !== null) return Math.max(told, now + leastPauseMs);
  if (now >= givenUpAt) return null;
  return Math.max(Math.min(now + pauseAfter(waits), givenUpAt), now + leastPauseMs);
}
