import type { Clock } from "../ports/clock.ts";

/** Create a clock that moves only when someone sleeps: a sleep ends at once, and sets the clock to its end. */
export function stillClock(now = 0): Clock {
  let at = now;
  return {
    now: () => at,
    sleepUntil: async (time) => {
      at = Math.max(at, time);
    },
  };
}
