import { onTestFinished, vi } from "vitest";
import { clockOver, systemClock } from "../../src/adapters/system-clock.ts";

/** The time of this process. It stands still except while a run sleeps. */
export interface HeldTime {
  now(): number;
  set(time: number): void;
  /** Called before each pause of a sleep, with its milliseconds. */
  onPause: (ms: number) => void;
}

/**
 * Controls the time until the end of the test, so that even a sleep of days ends at once. The product's own clock waits
 * by this time.
 */
export function holdTime(): HeldTime {
  let wall = Date.now();
  let elapsed = 0;
  vi.useFakeTimers({ toFake: ["Date"], now: wall });
  const set = (time: number): void => {
    wall = time;
    vi.setSystemTime(time);
  };
  const held: HeldTime = { now: () => wall, set, onPause: () => {} };
  const clock = clockOver({
    now: held.now,
    elapsedMs: () => elapsed,
    pause: async (ms, signal) => {
      held.onPause(ms);
      signal.throwIfAborted();
      elapsed += ms;
      set(wall + ms);
    },
  });
  const spies = [
    vi.spyOn(systemClock, "now").mockImplementation(clock.now),
    vi.spyOn(systemClock, "sleepUntil").mockImplementation(clock.sleepUntil),
  ];
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
    vi.useRealTimers();
  });
  return held;
}
