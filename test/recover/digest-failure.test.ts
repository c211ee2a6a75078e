import { describe, expect, it } from "vitest";
import type { Failure } from "../../src/model/failure.ts";
import { digestFailure } from "../../src/recover/digest-failure.ts";
import { fingerprint } from "../../src/recover/fingerprint.ts";

describe("digestFailure", () => {
  it("keeps 200 characters of each text, and no output", () => {
    const error = "😀".repeat(300);
    const failure: Failure = {
      taskId: "1.3",
      failed: true,
      kind: "timeout",
      error,
      attemptedFix: "f".repeat(300),
      status: "Blocked",
      rawOutput: "output",
      unstated: [],
    };
    const digest = {
      kind: "timeout",
      error: "😀".repeat(200),
      attemptedFix: "f".repeat(200),
      status: "Blocked",
      fingerprint: fingerprint(error),
    };
    expect(digestFailure(failure)).toStrictEqual(digest);
    expect(digestFailure({ ...failure, until: 5 })).toStrictEqual({ ...digest, until: 5 });
  });
});
