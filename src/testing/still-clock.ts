import type { Clock } from "../ports/clock.ts";

/** Create a clock that moves only by sleeping: a sleep returns at once, and sets the clock to the requested time. */
export function stillClock(now = 0): Clock {
  let at = now;
  return {
    now: () => at,
    sleepUntil: async (time) => {
      at = Math.max(at, time);
    },
  };
}
