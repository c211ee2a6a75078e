import { describe, expect, it } from "vitest";
import { verifyQuestion } from "../../src/effects/outside-trouble.ts";
import type { VerifyRun } from "../../src/ports/attempt-record.ts";

const result = { exitCode: 1, timedOut: false, stdout: "", stderr: "", durationMs: 1 };
const runOf = (command: string, more: Partial<VerifyRun["result"]> = {}): VerifyRun => ({
  ...{ command, name: "1.1#1/verify", digest: null },
  result: { ...result, ...more },
});

const ask = (run: VerifyRun | null, secrets?: object, passed: boolean | null = null) =>
  verifyQuestion(
    {
      attempts: { lastCheck: (command: string) => passed !== null && { command, name: "x", passed } },
      shell: secrets === undefined ? {} : { secrets },
      spec: "/w/specs/s",
    } as never,
    "1.1",
    run,
  );

describe("verifyQuestion", () => {
  it("asks what a command is meant to do", () => {
    expect(ask(runOf("make test passes"))).toEqual({
      kind: "gate",
      reason: "Task 1.1: its Verify is a sentence, not a command: `make test passes`",
      hint: "Write the command alone: `make test`. Change tasks.md accordingly, then run again",
    });
  });

  it("passes a variable through in addition to others", () => {
    const run = runOf("npm test", { stderr: "MY_KEY is not set" });
    expect(ask(run, { passed: ["A_KEY"], withheld: ["MY_KEY"] })?.hint).toBe(
      "Pass the variable on, then continue: fixpoint run s --pass-env A_KEY --pass-env MY_KEY",
    );
  });

  it("knows the previous result of the command", () => {
    const run = runOf("grep -q old src");
    expect(ask(run, undefined, true)?.reason).toContain("found something before the work");
    expect(ask(run, undefined, false)).toBeNull();
  });

  it("asks nothing about a command that was not run, or failed because of the work", () => {
    expect(ask(null)).toBeNull();
    expect(ask(runOf("npm test"))).toBeNull();
  });
});
