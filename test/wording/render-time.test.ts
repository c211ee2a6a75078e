import { describe, expect, it } from "vitest";
import { clockTime, isoTime } from "../../src/wording/render-time.ts";

const local = (day: number, hours: number, minutes: number): number =>
  new Date(2026, 0, day, hours, minutes, 59).getTime();

describe("clockTime", () => {
  it.each([
    [local(2, 18, 0), "18:00"],
    [local(2, 9, 5), "09:05"],
    [local(2, 0, 0), "00:00"],
    [local(3, 18, 0), "2026-01-03 18:00"],
    [local(32, 7, 30), "2026-02-01 07:30"],
  ])("renders %d as %s", (time, text) => {
    expect(clockTime(time, local(2, 12, 0))).toBe(text);
  });

  it("renders a time beyond the range of dates", () => {
    expect(clockTime(1e300, local(2, 12, 0))).toMatch(/^2757(59|60)-\d\d-\d\d \d\d:\d\d$/);
  });
});

describe("isoTime", () => {
  it.each([
    [1_767_323_045_678, "2026-01-02T03:04:05.678Z"],
    [1e300, "+275760-09-13T00:00:00.000Z"],
  ])("renders %d as %s", (time, text) => {
    expect(isoTime(time)).toBe(text);
  });
});
