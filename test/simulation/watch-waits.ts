import type { RunRecord } from "../../src/model/record.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { World } from "./world.ts";

/** Checks how long executors are waited for. */
export interface WaitWatch {
  /** @param said The wall clock before the record was made. */
  see(record: RunRecord, said: number): void;
  /** The clock used for waits. */
  readonly clock: Clock;
}

/** I27: no wait is longer than the longest remaining time found when an executor was at its limit. */
export function watchWaits(world: World): WaitWatch {
  const { clock } = world;
  let longestMs = 0;
  return {
    see: (record, said) => {
      if (record.type !== "answered" || !("until" in record.answer)) return;
      longestMs = Math.max(longestMs, (record.answer.until ?? 0) - Math.min(said, clock.now()));
    },
    clock: {
      now: clock.now,
      sleepUntil: (time, signal) => {
        const left = time - clock.now();
        const look = (): void => {
          if (left > longestMs) world.violate("I27", `waits for ${left} ms, where ${longestMs} ms is the longest told`);
        };
        // Of two concurrent ones, one may receive what the other is about to record at the same moment.
        if (left > longestMs) clock.after(0, look);
        return clock.sleepUntil(time, signal);
      },
    },
  };
}
