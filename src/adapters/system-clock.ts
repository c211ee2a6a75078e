import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../ports/clock.ts";

/** Clocks of a machine. */
export interface TimeSource {
  /** Milliseconds since 1970 by the wall clock, which anybody may set. */
  readonly now: () => number;
  /** Milliseconds since any moment. Nobody can set this clock. */
  readonly elapsedMs: () => number;
  readonly pause: (delayMs: number, signal: AbortSignal) => Promise<void>;
}

/** Shorter than the longest delay of a timer, and short enough to notice that the clock was set. */
const longestPauseMs = 60_000;

/**
 * A clock whose sleepers wake at their time, and never after more than the time that was left when they fell asleep.
 */
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
    // Node rejects with its own error, whatever the reason is.
    sleep(delayMs, undefined, { signal }).catch(() => signal.throwIfAborted()),
});
