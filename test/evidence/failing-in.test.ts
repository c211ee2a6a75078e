import { expect, it } from "vitest";
import { digestOutput } from "../../src/digest/digest-output.ts";
import { failingIn } from "../../src/evidence/judge-runs.ts";
import type { VerifyRun } from "../../src/ports/attempt-record.ts";

const result = { exitCode: 1, stdout: "no\n", stderr: "", durationMs: 1, timedOut: false };
const run = (digest: VerifyRun["digest"]): VerifyRun => ({ command: "check", name: "1.1#1/verify", result, digest });

it("counts the failing checks of a run: none if it passed, null if its tool does not report them", () => {
  expect(failingIn(run(null))).toBe(0);
  expect(failingIn(run(digestOutput("no\n")))).toBeNull();
});
