import { describe, expect, it } from "vitest";
import { blockedUntil, mostWaited, passes } from "../../src/effects/blocked-until.ts";

const minute = 60_000;
const now = 1_000_000;

describe("an executor that cannot work", () => {
  it("is not asked before a person has helped, unless the problem passes by itself", () => {
    expect((["rate-limit", "offline", "auth", "permission", "context-exhausted", "task"] as const).map(passes)).toEqual(
      [...[true, true, false, false, false, false]],
    );
    expect(blockedUntil("auth", now + minute, now, 0)).toBe(null);
    expect(blockedUntil("permission", null, now, 0)).toBe(null);
  });

  it("is asked again at the time it gives, but not at once", () => {
    expect(blockedUntil("rate-limit", now + minute, now, 5)).toBe(now + minute);
    expect(blockedUntil("rate-limit", now - minute, now, 0)).toBe(now + 1000);
    expect(blockedUntil("rate-limit", now + minute, now, 0, now)).toBe(now + minute);
  });

  it("is asked again after a minute if it gives no time, then with doubled waits up to half an hour", () => {
    const pauses = [0, 1, 2, 3, 4, 5, 6, 50].map((waits) => (blockedUntil("offline", null, now, waits) ?? 0) - now);
    expect(pauses.map((pause) => pause / minute)).toEqual([1, 2, 4, 8, 16, 30, 30, 30]);
    expect([0, 1, 2, 6].map((waits) => mostWaited(waits) / minute)).toEqual([0, 1, 3, 61]);
  });

  it("is given up at the end of the longest wait, without a longer sleep", () => {
    expect(blockedUntil("offline", null, now, 0, now)).toBe(null);
    expect(blockedUntil("offline", null, now, 0, now - 1)).toBe(null);
    expect(blockedUntil("offline", null, now, 0, now + 30_000)).toBe(now + 30_000);
    expect(blockedUntil("offline", null, now, 0, now + 10)).toBe(now + 1000);
  });
});
