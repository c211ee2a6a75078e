import { describe, expect, it } from "vitest";
import { checkRan } from "../../src/recover/check-ran.ts";

const streams = { stdout: "out", stderr: "", durationMs: 5 };

describe("checkRan", () => {
  it.each([
    { exitCode: 0, timedOut: false },
    { exitCode: null, timedOut: true, limitMs: 600_000 },
    { exitCode: null, timedOut: false, limitBytes: 9 },
  ])("is how a command has ended, with the limit that has ended it: %j", (end) => {
    expect(checkRan({ result: { ...streams, ...end }, digest: null })).toStrictEqual({
      kind: "ran",
      digest: null,
      ...end,
    });
  });
});
