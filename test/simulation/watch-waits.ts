import type { RunRecord } from "../../src/model/record.ts";
import type { Clock } from "../../src/ports/ports.ts";
import type { World } from "./world.ts";

/** Checks the duration of waits for executors. */
export interface WaitWatch {
  /** @param said The wall clock before the record was appended. */
  see(record: RunRecord, said: number): void;
  /** A clock that checks the waits of a start. */
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
          if (left > longestMs)
            world.violate("I27", `waits for ${left} ms, longer than any reported wait: ${longestMs} ms`);
        };
        // Looks again later: of two concurrent waits, one may use a time that the other is about to record.
        if (left > longestMs) clock.after(0, look);
        return clock.sleepUntil(time, signal);
      },
    },
  };
}
