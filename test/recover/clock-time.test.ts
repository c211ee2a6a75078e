import { describe, expect, it } from "vitest";
import { readClockTime } from "../../src/recover/clock-time.ts";

/** A Saturday. At one o'clock UTC in the following night, Europe sets its clocks back from UTC+2 to UTC+1. */
const now = Date.parse("2026-10-24T12:00:00Z");

const iso = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString().slice(0, 16));

describe("readClockTime", () => {
  it.each([
    ["9pm (Europe/Paris)", "2026-10-24T19:00"],
    ["9 p.m. (UTC)", "2026-10-24T21:00"],
    ["21:00:30 GMT", "2026-10-24T21:00"],
    ["12am (UTC)", "2026-10-25T00:00"],
    ["12:30 PM UTC", "2026-10-24T12:30"],
    // The clocks are set back earlier in that night.
    ["9am (Europe/Paris)", "2026-10-25T08:00"],
    // This time occurs two times in that night. The earlier occurrence counts.
    ["2:30am (Europe/Paris)", "2026-10-25T00:30"],
    ["Oct 26, 9pm (Europe/Berlin)", "2026-10-26T20:00"],
    ["October 25th, 2026 3:05 PM UTC", "2026-10-25T15:05"],
    ["Jan 2 at 8am (UTC)", "2027-01-02T08:00"],
    ["tomorrow at 2:30am (America/New_York)", "2026-10-25T06:30"],
    ["today, 18:00 UTC", "2026-10-24T18:00"],
    ["Mon 8am (America/Argentina/Buenos_Aires)", "2026-10-26T11:00"],
    ["Saturday 11am UTC", "2026-10-31T11:00"],
    ["2026-10-25 03:00 (Asia/Tokyo)", "2026-10-24T18:00"],
    ["2026-10-25T03:00 Z", "2026-10-25T03:00"],
    // Clocks differ, so a time that has just passed means one minute from now.
    ["11:55 UTC", "2026-10-24T12:01"],
    ["11:30 UTC", "2026-10-25T11:30"],
  ])("reads %s", (said, expected) => {
    expect(iso(readClockTime(said, now))).toBe(expected);
  });

  it("returns the same time of day on both sides of a clock change", () => {
    const before = Date.parse("2026-03-28T12:00:00Z");
    expect(iso(readClockTime("tomorrow 9am (Europe/Paris)", before))).toBe("2026-03-29T07:00");
    // The clocks skip this time in that night, so the time an hour later counts.
    expect(iso(readClockTime("tomorrow 2:30am (Europe/Paris)", before))).toBe("2026-03-29T01:30");
  });

  it("reads a time without a zone in the local zone", () => {
    const expected = new Date(now);
    expected.setHours(23, 45, 0, 0);
    const next = expected.getTime() > now ? expected.getTime() : expected.getTime() + 86_400_000;
    expect(iso(readClockTime("23:45", now))).toBe(iso(next));
  });

  it.each(["9", "25:00", "13pm", "0am", "9:75", "soon", "9pm (Nowhere/City)", "may 3"])(
    "reads no time from %s",
    (said) => {
      expect(readClockTime(said, now)).toBeNull();
    },
  );
});
