import { describe, expect, it } from "vitest";
import { digestOutput } from "../../src/digest/digest-output.ts";
import type { Reply } from "../../src/model/reply.ts";
import { limitPhrase, renderCheck, type VerifyRan, verifyError } from "../../src/recover/verify-error.ts";
import { digestOf, failedCheck } from "../support/sample-failure.ts";

const ran = (exitCode: number | null, part: Partial<VerifyRan> = {}): VerifyRan => ({
  ...{ exitCode, timedOut: false, digest: null },
  ...part,
});
const printed = (exitCode: number | null, output: string): VerifyRan => ran(exitCode, { digest: digestOutput(output) });

describe("verifyError", () => {
  it.each([
    [printed(1, "out\nfirst\r\n  last  \n\n"), "Verify failed (exit 1): last"],
    [printed(2, "one\ntwo\n \n"), "Verify failed (exit 2): two"],
    [printed(3, ""), "Verify failed (exit 3)"],
    [ran(3), "Verify failed (exit 3)"],
    [printed(null, ""), "Verify failed (ended by a signal)"],
    [{ ...printed(null, "x\ny\n"), timedOut: true }, "Verify timed out"],
    [{ ...printed(null, "x\n"), timedOut: true, limitMs: 600_000 }, "Verify timed out after 10m (--verify-timeout)"],
    [ran(null, { limitBytes: 3_000_000 }), "Verify was stopped after 3 MiB of output (--max-output)"],
    [{ ...printed(null, "x\n"), limitBytes: 1 }, "Verify was stopped after 1 MiB of output (--max-output): x"],
  ])("returns for %j: %s", (verify, error) => {
    expect(verifyError(verify)).toBe(error);
  });

  it("is at most 500 characters long", () => {
    expect(verifyError(printed(1, `${"x".repeat(9000)}\n`))).toHaveLength(500);
    expect(verifyError(ran(1, { digest: digestOf(["x".repeat(9000)]) }))).toHaveLength(500);
  });

  it("states how many of how many failed, and the first failure", () => {
    const told = (part: Parameters<typeof digestOf>[1], ...ids: string[]) =>
      verifyError(ran(1, { digest: digestOf(ids, part) }));
    expect(told({}, "adds", "takes")).toBe("Verify failed (exit 1), 2 failing: adds: adds is wrong");
    expect(told({ failed: 4, ran: 6 }, "adds")).toBe("Verify failed (exit 1), 4 of 6 failing: adds: adds is wrong");
    expect(told({ failed: null }, "adds")).toBe("Verify failed (exit 1), 1 failing: adds: adds is wrong");
    // Some tools count files in one place and tests in another, so `failed` may exceed `ran`.
    expect(told({ failed: 4, ran: 3 }, "adds")).toBe("Verify failed (exit 1), 4 failing: adds: adds is wrong");
    expect(told({ source: "count", failed: 4, ran: 6 })).toBe("Verify failed (exit 1), 4 of 6 failing");
    const failures = (message: string) => [failedCheck("line", { message })];
    expect(told({ source: "count", failed: 4, failures: failures("4 failing") })).toBe(
      "Verify failed (exit 1), 4 failing",
    );
    expect(told({ source: "count", failed: 4, failures: failures("4 bad") })).toBe(
      "Verify failed (exit 1), 4 failing: 4 bad",
    );
  });

  it("works with digests without checks", () => {
    const none = (source: "tools" | "last-line") =>
      verifyError(ran(1, { digest: digestOf([], { source, failed: 2 }) }));
    expect(none("tools")).toBe("Verify failed (exit 1), 2 failing");
    expect(none("last-line")).toBe("Verify failed (exit 1)");
  });

  it("quotes the last new line of the output", () => {
    for (const source of ["passing-run", "failing-run"] as const) {
      expect(verifyError(ran(1, { digest: digestOf(["one", "two"], { source, failed: null }) }))).toBe(
        "Verify failed (exit 1): two is wrong",
      );
    }
  });
});

describe("renderCheck", () => {
  it.each([
    [{ message: "adds" }, "adds"],
    [{ id: "adds: off by one", message: "off by one" }, "adds: off by one"],
    [{ message: "off by one" }, "adds: off by one"],
    [{ message: "m", expected: "3" }, "adds: m"],
    [{ message: "m", expected: "3", actual: "4" }, "adds: m (expected 3, got 4)"],
    [{ message: "expected 4 to be 3", expected: "3", actual: "4" }, "adds: expected 4 to be 3"],
  ])("returns for %j: %s", (part, told) => {
    expect(renderCheck(failedCheck("adds", part))).toBe(told);
  });
});

describe("limitPhrase", () => {
  it.each([
    [{ ended: "timeout", limit: 300 }, "Stopped after 300ms (--task-timeout)"],
    [{ ended: "timeout", limit: 1_800_000 }, "Stopped after 30m (--task-timeout)"],
    [{ ended: "idle", limit: 90_000 }, "Stopped after 90s without output (--idle-timeout)"],
    [{ ended: "flood", limit: 256 * 1024 * 1024 }, "Stopped after 256 MiB of output (--max-output)"],
    [{ ended: "timeout" }, null],
    [{ ended: "signal" }, null],
    [{ ended: "signal", limit: 300 }, null],
    [{ ended: "exit" }, null],
    [{}, null],
  ] satisfies [Pick<Reply, "ended" | "limit">, string | null][])("describes %j", (reply, told) => {
    expect(limitPhrase(reply)).toBe(told);
  });
});
