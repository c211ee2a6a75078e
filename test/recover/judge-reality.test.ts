import { describe, expect, it } from "vitest";
import { digestOutput } from "../../src/digest/digest-output.ts";
import { judgeReality } from "../../src/recover/judge-reality.ts";

const ran = {
  kind: "ran",
  command: "npm test",
  exitCode: 0,
  timedOut: false,
  digest: digestOutput("no answer\n", { command: "npm test" }),
} as const;

describe("judgeReality", () => {
  it("accepts a task that needs no reality check, and a command that passes", () => {
    expect(judgeReality(ran)).toEqual({ kind: "accepted" });
  });

  it.each([
    [{ kind: "missing" }, "no Reality Check (BEFORE) with a command in .progress.md"],
    [{ ...ran, exitCode: 1 }, "Reality check failed (exit 1): no answer"],
    [{ ...ran, exitCode: 127 }, "Reality check failed (exit 127): no answer"],
    [{ ...ran, exitCode: null }, "Reality check failed (ended by a signal): no answer"],
    [{ ...ran, timedOut: true }, "Reality check timed out"],
  ] as const)("fails for %j", (reality, reason) => {
    expect(judgeReality(reality)).toEqual({ kind: "failed", reason });
  });
});
