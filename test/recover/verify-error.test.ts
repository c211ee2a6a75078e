import { describe, expect, it } from "vitest";
import { type VerifyRan, verifyError } from "../../src/recover/verify-error.ts";

const ran = (exitCode: number | null, part: Partial<VerifyRan> = {}): VerifyRan => ({
  kind: "ran",
  exitCode,
  timedOut: false,
  output: { stdout: "", stderr: "" },
  ...part,
});

describe("verifyError", () => {
  it.each([
    [ran(1, { output: { stdout: "out", stderr: "first\r\n  last  \n\n" } }), "Verify failed (exit 1): last"],
    [ran(2, { output: { stdout: "one\ntwo\n", stderr: " \n" } }), "Verify failed (exit 2): two"],
    [ran(3), "Verify failed (exit 3)"],
    [ran(null), "Verify failed (ended by a signal)"],
    [ran(null, { timedOut: true, output: { stdout: "x", stderr: "y" } }), "Verify timed out"],
  ])("says of %j: %s", (verify, error) => {
    expect(verifyError(verify)).toBe(error);
  });

  it("is at most 500 characters long", () => {
    expect(verifyError(ran(1, { output: { stdout: "", stderr: "x".repeat(9000) } }))).toHaveLength(500);
  });
});
