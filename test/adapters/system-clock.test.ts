import { describe, expect, it } from "vitest";
import { clockOver, systemClock } from "../../src/adapters/system-clock.ts";

const never = new AbortController().signal;
const hourMs = 3_600_000;
const tenYearsMs = 10 * 365 * 24 * hourMs;

function clockSet({ byMs, after }: { byMs: number; after: number }) {
  const pauses: number[] = [];
  let elapsed = 0;
  const offset = (): number => 1_700_000_000_000 + (pauses.length >= after ? byMs : 0);
  const clock = clockOver({
    now: () => offset() + elapsed,
    elapsedMs: () => elapsed,
    pause: async (delayMs) => {
      elapsed += delayMs;
      pauses.push(delayMs);
    },
  });
  return { clock, pauses, elapsedMs: () => elapsed };
}

describe("a sleep until a time", () => {
  it("I27: consists of pauses that a timer supports", async () => {
    const { clock, pauses, elapsedMs } = clockSet({ byMs: 0, after: 0 });
    await clock.sleepUntil(clock.now() + 30 * 24 * hourMs + 1, never);
    expect(elapsedMs()).toBe(30 * 24 * hourMs + 1);
    expect(Math.max(...pauses)).toBe(60_000);
    expect(pauses.at(-1)).toBe(1);
  });

  it("I27: is not prolonged by a clock that is set back meanwhile", async () => {
    const { clock, elapsedMs } = clockSet({ byMs: -tenYearsMs, after: 3 });
    await clock.sleepUntil(clock.now() + hourMs, never);
    expect(elapsedMs()).toBe(hourMs);
  });

  it("I27: ends within a minute after its time, even after the machine was suspended", async () => {
    const { clock, elapsedMs } = clockSet({ byMs: tenYearsMs, after: 3 });
    await clock.sleepUntil(clock.now() + hourMs, never);
    expect(elapsedMs()).toBe(3 * 60_000);
  });

  it("is skipped if the time has passed", async () => {
    const { clock, pauses } = clockSet({ byMs: 0, after: 0 });
    await clock.sleepUntil(clock.now(), never);
    expect(pauses).toEqual([]);
  });
});

describe("the machine's own clock", () => {
  it("wakes at the time, and at once with the reason if it is aborted", async () => {
    const time = systemClock.now() + 30;
    await systemClock.sleepUntil(time, never);
    expect(Math.abs(systemClock.now() - time)).toBeLessThan(1000);
    const stop = new AbortController();
    const slept = systemClock.sleepUntil(systemClock.now() + hourMs, stop.signal);
    stop.abort(new Error("stopped"));
    await expect(slept).rejects.toThrow("stopped");
  });
});
