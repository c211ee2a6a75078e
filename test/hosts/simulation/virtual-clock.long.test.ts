import { describe, expect, it } from "vitest";
import { virtualClock } from "../../../src/hosts/simulation/virtual-clock.ts";

const never = new AbortController().signal;
const tenYearsMs = 10 * 365 * 24 * 60 * 60_000;

describe("a virtual clock", () => {
  it("advances only while everyone waits, and wakes them in the order of their times", async () => {
    const clock = virtualClock(1000);
    const woken: string[] = [];
    const wake = async (name: string, delayMs: number): Promise<void> => {
      await clock.wait(delayMs);
      woken.push(`${name} at ${clock.now()}`);
    };
    await clock.drive(Promise.all([wake("c", 30), wake("a", 10), wake("b", 10)]));
    expect(woken).toEqual(["a at 1010", "b at 1010", "c at 1030"]);
    expect(clock.elapsedMs()).toBe(30);
  });

  it("wakes sleepers within a minute after it is set forward", async () => {
    const clock = virtualClock(0);
    clock.after(1000, () => clock.jump(3_600_000));
    await clock.drive(clock.sleepUntil(3_000_000, never));
    expect(clock.elapsedMs()).toBe(61_000);
  });

  it("does not prolong a sleep when it is set back", async () => {
    const clock = virtualClock(0);
    clock.after(1000, () => clock.jump(-tenYearsMs));
    await clock.drive(clock.sleepUntil(3_000_000, never));
    expect(clock.elapsedMs()).toBe(3_000_000);
  });

  it("ends a sleep that is aborted", async () => {
    const clock = virtualClock(0);
    const stop = new AbortController();
    clock.after(5, () => stop.abort(new Error("stopped")));
    await expect(clock.drive(clock.sleepUntil(100, stop.signal))).rejects.toThrow("stopped");
    await expect(clock.sleepUntil(100, stop.signal)).rejects.toThrow("stopped");
    expect(clock.elapsedMs()).toBe(5);
  });

  it("reports when everyone waits for something that will never happen", async () => {
    const clock = virtualClock(0);
    clock.after(1, () => {})();
    await expect(clock.drive(new Promise(() => {}))).rejects.toThrow("everything waits, and no timer is left");
  });
});
