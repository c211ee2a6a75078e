import { onTestFinished, vi } from "vitest";
import { clockOver, systemClock } from "../../src/adapters/system-clock.ts";

export interface HeldTime {
  now(): number;
  set(time: number): void;
  onPause: (ms: number) => void;
}

/** Replaces the clock until the end of the test, so even a sleep of days ends at once. */
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
