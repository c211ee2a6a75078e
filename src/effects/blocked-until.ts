import type { FailureKind } from "../model/failure.ts";

/** The first pause before an executor is tried again that does not say when it can work, and the longest. */
const firstPauseMs = 60_000;
const longestPauseMs = 30 * 60_000;
/** The least pause, whatever an executor says: one that ends in no time would be asked again and again. */
export const leastPauseMs = 1000;

const pauseAfter = (waits: number): number => Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(waits, 10));

/** The most that was waited, in milliseconds, for one that does not say for how long, when so often. */
export const mostWaited = (waits: number): number =>
  Array.from({ length: waits }, (_, before) => pauseAfter(before)).reduce((sum, pause) => sum + pause, 0);

/** Whether what keeps an executor from working passes by itself. */
export const passes = (kind: FailureKind): boolean => kind === "rate-limit" || kind === "offline";

/**
 * Until when an executor is not asked again, in milliseconds since 1970; null: not before a person has dealt with it.
 *
 * @param told When it says that it can work again; null when it does not.
 * @param waits How often it was waited for before.
 * @param givenUpAt When nobody waits any longer for one that does not say for how long.
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
