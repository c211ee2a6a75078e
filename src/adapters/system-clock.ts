import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../ports/ports.ts";

export interface TimeSource {
  /** Wall clock, in milliseconds since 1970; may be changed at any time. */
  readonly now: () => number;
  /** Monotonic clock, in milliseconds. */
  readonly elapsedMs: () => number;
  readonly pause: (delayMs: number, signal: AbortSignal) => Promise<void>;
}

/** Maximum length of one pause: below the maximum delay of a timer, and short enough to notice a changed clock. */
const longestPauseMs = 60_000;

/** A clock that sleeps until a time, but never longer than the delay expected at the start of the sleep. */
export const clockOver = ({ now, elapsedMs, pause }: TimeSource): Clock => ({
  now,
  async sleepUntil(time, signal) {
    const latest = elapsedMs() + time - now();
    const leftMs = (): number => Math.min(time - now(), latest - elapsedMs());
    for (let left = leftMs(); left > 0; left = leftMs()) await pause(Math.min(left, longestPauseMs), signal);
  },
});

/** The machine's own clock. */
export const systemClock: Clock = clockOver({
  now: Date.now,
  elapsedMs: () => performance.now(),
  pause: (delayMs, signal) =>
    // Node rejects with its own error, whatever the abort reason.
    sleep(delayMs, undefined, { signal }).catch(() => signal.throwIfAborted()),
});
