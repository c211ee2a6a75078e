import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../ports/clock.ts";

/** What time is told from. */
export interface TimeSource {
  /** Milliseconds since 1970, as the clock on the wall shows it: anybody may set it. */
  readonly now: () => number;
  /** Milliseconds since any moment, which nobody sets. */
  readonly elapsedMs: () => number;
  readonly pause: (delayMs: number, signal: AbortSignal) => Promise<void>;
}

/** Below the longest delay a timer can have, and short enough to notice a clock that was set. */
const longestPauseMs = 60_000;

/** A clock whose sleepers wake at their time, and never later than was left of it when they fell asleep. */
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
    // Node rejects with an error of its own, whatever the reason is.
    sleep(delayMs, undefined, { signal }).catch(() => signal.throwIfAborted()),
});
