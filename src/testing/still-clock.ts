import type { Clock } from "../ports/clock.ts";

/** A clock that stands still until it is slept on: a sleep moves it there at once. */
export function stillClock(now = 0): Clock {
  let at = now;
  return {
    now: () => at,
    sleepUntil: async (time) => {
      at = Math.max(at, time);
    },
  };
}
