import { describe, expect, it } from "vitest";
import { readStderr } from "../../src/recover/read-stderr.ts";

const now = Date.parse("2026-11-20T12:00:00Z");
const limit = "Error: 429 Too Many Requests";
const problem = { kind: "rate-limit", message: limit } as const;

describe("readStderr", () => {
  it("takes the last 20 lines for the end, stack frames and blank ones left out", () => {
    expect(readStderr(`${limit}\n${"x\n".repeat(19)}`)).toEqual(problem);
    expect(readStderr(`${limit}\n${"x\n".repeat(20)}`)).toBeNull();
    expect(readStderr(`${limit}\n${"    at post (/agent/client.js:1:2)\n".repeat(20)}`)).toEqual(problem);
    expect(readStderr(`${limit}\n${"\r\n \t\n".repeat(20)}`)).toEqual(problem);
  });

  it("looks at no more than the last 16 KiB", () => {
    expect(readStderr(`${limit}\n${"x".repeat(16_000)}`)).toEqual(problem);
    expect(readStderr(`${limit}\n${"x".repeat(17_000)}`)).toBeNull();
  });

  it("reads when it is over from any of those lines, each for itself", () => {
    const said = `${limit}\nretry-after: 90\nbye`;
    expect(readStderr(said, now)).toEqual({ ...problem, until: now + 90_000 });
    expect(readStderr(said)).toEqual(problem);
  });
});
