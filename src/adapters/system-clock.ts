import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../ports.ts";

/** Below the longest delay a timer can have, and short enough to notice a clock that was set. */
const longestPauseMs = 60_000;

/** The machine's own clock. */
export const systemClock: Clock = {
  now: Date.now,
  async sleepUntil(time, signal) {
    for (let left = time - Date.now(); left > 0; left = time - Date.now()) {
      await sleep(Math.min(left, longestPauseMs), undefined, { signal }).catch((error: unknown) => {
        // Node rejects with an error of its own, whatever the reason is.
        signal.throwIfAborted();
        throw error;
      });
    }
  },
};
