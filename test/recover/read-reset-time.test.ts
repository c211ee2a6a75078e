import { describe, expect, it } from "vitest";
import { isAhead, readResetTime } from "../../src/recover/read-reset-time.ts";

const now = Date.parse("2026-11-20T12:00:00Z");
const secondsAhead = (text: string): number | null => {
  const time = readResetTime(text, now);
  return time === null ? null : (time - now) / 1000;
};

describe("readResetTime", () => {
  it.each([
    ["Rate limit reached. Please try again in 5m30s.", 330],
    ["Please try again in 20s. Visit https://example.com", 20],
    ["try again in 1 day 2 hours 30 minutes", 95_400],
    ["Try again in 5 minutes and 3 seconds", 303],
    ["try again in 1h, 2m", 3720],
    ["please wait 30 seconds before the next request", 30],
    ["Quota exceeded. Please retry in 34.07s.", 34.07],
    ["Please try again in 250ms", 0.25],
    ["try again in 250 milliseconds", 0.25],
    ["Your quota will reset after 5h12m", 18_720],
    ["usage limit (resets in 2 days)", 172_800],
    ["resets in about 2 hours", 7200],
    ['{"retryDelay":"34s"}', 34],
    ["retry-after: 120", 120],
    ["Retry-After: 120\r\nx-request-id: 1", 120],
    ['{"retry_after":7}', 7],
    ["retry-after-ms: 1500", 1.5],
    ["retry-after: Fri, 20 Nov 2026 13:00:00 GMT", 3600],
    ["resets at 2026-11-20T18:00:00Z", 21_600],
    ["reset time: 2026-11-20T18:00:00.5Z", 21_600.5],
    ["reset time: 2026-11-20T18:00:00.125Z", 21_600.125],
    ["available at 2026-11-20T19:00:00+01:00", 21_600],
    ["try again at 2026-11-20 18:00 UTC", 21_600],
    ["blocked until 2026-11-20 18:00:00 UTC", 21_600],
    ["blocked until 2026-11-20T18:00:00UTC", 21_600],
    [`{"resets_at":${now / 1000 + 60},"x":1}`, 60],
    [`Claude AI usage limit reached|${now / 1000 + 60}`, 60],
    [`resets_at: ${now / 1000 + 60}`, 60],
    [`x-ratelimit-reset: ${now + 60_000}`, 60],
    ["try again later, or try again in 9s", 9],
  ])("reads %j", (text, seconds) => {
    expect(secondsAhead(text)).toBe(seconds);
  });

  it.each([
    ["", "nothing"],
    ["try again later", "no time"],
    ["try again later, valid to 2026-11-20T18:00:00Z", "the time of something else"],
    ["retry-after: unknown, date: Fri, 20 Nov 2026 13:00:00 GMT", "the date of something else"],
    [`try again later, request ${now / 1000 + 60}`, "the number of something else"],
    ["retry-after: soon, 30", "another number"],
    ["try again at 6:31 AM", "a time of day without a zone"],
    ["resets 3pm (Europe/Berlin)", "a time of day"],
    ["retry after 3 attempts", "a count"],
    ["try again in 5 monkeys", "another unit"],
    ["retry-after: soon", "no number"],
    ["2026-11-20T18:00:00Z ERROR rate limit", "the time of a log line"],
    ["resets at 2026-11-20T11:59:59Z", "the past"],
    ["resets at 2026-99-99T00:00:00Z", "no date"],
    ["resets at 2026-11-20T12:00:00Z", "now"],
    ["try again in 8 days", "too far ahead"],
    ["limit reached|123", "no epoch"],
    ["try again in 0s", "at once"],
  ])("reads nothing from %j: %s", (text) => {
    expect(readResetTime(text, now)).toBeNull();
  });
});

describe("isAhead", () => {
  it("believes a time of at most seven days ahead", () => {
    const week = 7 * 24 * 60 * 60 * 1000;
    expect([now, now + 1, now + week, now + week + 1].map((time) => isAhead(time, now))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});
