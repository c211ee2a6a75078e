import type { Clock } from "../ports/clock.ts";

/** A clock that only moves by sleeping: a sleep sets it to its end at once. */
export function stillClock(now = 0): Clock {
  let at = now;
  return {
    now: () => at,
    sleepUntil: async (time) => {
      at = Math.max(at, time);
    },
  };
}
