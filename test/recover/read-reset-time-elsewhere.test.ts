import { afterEach, describe, expect, it, vi } from "vitest";
import { readResetTime } from "../../src/recover/service-problem.ts";

const noon = Date.parse("2026-11-20T12:00:00Z");

// Threads share the time zone of their process, so these tests need separate processes.
describe("readResetTime in every time zone", () => {
  afterEach(() => vi.unstubAllEnvs());

  it("reads a time stated in UTC as such", () => {
    vi.stubEnv("TZ", "Asia/Tokyo");
    expect(new Date(noon).getTimezoneOffset()).toBe(-540);
    expect(readResetTime("blocked until 2026-11-20 18:00 UTC", noon)).toBe(noon + 6 * 60 * 60 * 1000);
  });
});
