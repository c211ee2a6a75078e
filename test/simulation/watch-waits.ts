import type { RunRecord } from "../../src/model/record.ts";
import type { Clock } from "../../src/ports/ports.ts";
import type { World } from "./world.ts";

export interface WaitWatch {
  see(record: RunRecord, said: number): void;
  readonly clock: Clock;
}

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
        // Looks once more, because another wait may use a time whose record is still in progress.
        if (left > longestMs) clock.after(0, look);
        return clock.sleepUntil(time, signal);
      },
    },
  };
}
