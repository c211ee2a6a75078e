import { describe, expect, it } from "vitest";
import { type FailedRecord, failureOf } from "../../src/effects/failure-of.ts";
import type { Reply } from "../../src/model/reply.ts";
import type { Role } from "../../src/model/role.ts";
import { digestOf } from "../support/sample-failure.ts";

const judged = (layer: string, reason?: string) =>
  ({
    kind: "failed",
    layers: [
      { layer: "plan", kind: "accepted", reason: "not this one" },
      { layer, kind: "failed", ...(reason !== undefined && { reason }) },
    ],
  }) as unknown as FailedRecord["judgement"];
const ran = (command: string, more: object = {}) =>
  ({
    ...{ command, digest: null, result: { exitCode: 1, stdout: "out\n", stderr: "err\n", timedOut: false, ...more } },
  }) as unknown as NonNullable<FailedRecord["verify"]>;
const recordOf = (more: Partial<FailedRecord>): FailedRecord => ({
  ...{ reply: { text: "TASK_COMPLETE" }, verify: null, reality: null, judgement: null, review: null },
  ...more,
});
const read = (more: Partial<FailedRecord>, role?: Role) => failureOf("1.1", recordOf(more), role, 0);
const unclaimed = "completion claimed (exit 3)";
const said = (reply: Reply, role?: Role) => read({ reply, judgement: judged("signal", unclaimed) }, role);

describe("a failure that a reviewer found", () => {
  const found = (code: string, spec: string) => read({ review: { verdict: "fail", code, spec, round: 1 } });

  it("is the first line of what it found, and all of it is evidence", () => {
    expect(found("\r\n  No test \nfor it", "1.1 asks for one")).toMatchObject({
      ...{ taskId: "1.1", failed: true, kind: "task", error: "No test", status: "The reviewer did not pass it" },
      rawOutput: "\r\n  No test \nfor it\n1.1 asks for one",
      evidence: { command: null, claim: "TASK_COMPLETE", findings: "No test \nfor it\n1.1 asks for one" },
    });
    expect(found("", "1.1 asks for one")).toMatchObject({ error: "1.1 asks for one", rawOutput: "1.1 asks for one" });
    expect(found(" \n", "").error).toBe("The reviewer found something");
  });

  it("counts before the layers of a verdict", () => {
    const review = { verdict: "fail", code: "No test", spec: "", round: 1 } as const;
    expect(read({ review, judgement: judged("verify", "exit 1") }).error).toBe("No test");
  });
});

describe("a failure of a layer", () => {
  it("has its reason, and what its own command has printed", () => {
    const commands = { verify: ran("make"), reality: ran("make old", { stdout: "old\n", stderr: "" }) };
    expect(read({ ...commands, judgement: judged("verify", "exit 1") })).toMatchObject({
      ...{ kind: "task", error: "exit 1", status: "Verify did not pass", attemptedFix: "No fix attempted" },
      ...{ rawOutput: "out\nerr\n", unstated: ["attemptedFix", "status"] },
      evidence: { command: { line: "make", exitCode: 1, timedOut: false }, findings: "" },
    });
    expect(read({ ...commands, judgement: judged("reality", "still broken") })).toMatchObject({
      ...{ status: "Reality did not pass", rawOutput: "old\n", evidence: { command: { line: "make old" } } },
    });
  });

  it("may have run no command, and no reason", () => {
    const bare = read({ judgement: judged("commit") });
    expect(bare).toMatchObject({
      error: "",
      status: "Commit did not pass",
      rawOutput: "",
      evidence: { command: null },
    });
    expect(bare).not.toHaveProperty("failing");
  });

  it("knows which tests failed, and that a command took too long", () => {
    const verify = { ...ran("make"), digest: digestOf(["a", "b"]) };
    expect(read({ verify, judgement: judged("verify", "x") })).toMatchObject({ kind: "task", failing: { count: 2 } });
    const late = ran("make", { timedOut: true, exitCode: null });
    expect(read({ verify: late, judgement: judged("verify", "x") }).kind).toBe("timeout");
  });

  it("is not read where no layer has failed", () => {
    expect(() => read({})).toThrow("Cannot read a failure of `1.1`, no layer failed it");
    expect(() => read({ judgement: { ...judged("verify"), layers: [] } as never })).toThrow("no layer failed it");
  });
});

describe("a failure of who does not claim the task is done", () => {
  it.each<[Reply, string]>([
    [{ text: "First\nAt last\n\n" }, "At last"],
    [{ text: "At last", stderr: "Broken pipe\n" }, "At last"],
    [{ text: "At last", stderr: "Broken pipe\n", exitCode: 1 }, "Broken pipe"],
    [{ text: "At last", exitCode: 1 }, "At last"],
    [{ text: "At last", stderr: "Broken pipe\n", ended: "signal" }, "Broken pipe"],
    [{ text: "At last", ended: "signal" }, "At last"],
    [{ text: "At last", stderr: "x", ended: "timeout" }, "Task did not complete"],
    [{ text: "At last", ended: "timeout", limit: 60_000 }, "Stopped after 1m (--task-timeout)"],
    [{ text: "", exitCode: 1 }, "Task did not complete"],
    [{ text: "TASK_COMPLETE", exitCode: 3 }, unclaimed],
    [{ text: "TASK_COMPLETE", ended: "signal" }, unclaimed],
    [{ text: "VERIFICATION_PASS" }, unclaimed],
    [{ text: "TASK_COMPLETE", stderr: "Broken pipe\n", exitCode: 3 }, "Broken pipe"],
  ])("is what it said last, on stderr where it gave up: %j", (reply, error) => {
    expect(said(reply).error).toBe(error);
  });

  it("is what a program of Node has thrown, not the version below it", () => {
    const thrown = "/a.js:1\nthrow new Error('No key');\n^\n\nError: No key\n    at Object.<anonymous> (/a.js:1:7)\n";
    expect(said({ text: "At last", stderr: `${thrown}\nNode.js v22.1.0\n`, exitCode: 1 }).error).toContain("No key");
  });

  it("says that it was cut off where it ended well and said nothing of the task", () => {
    expect(said({ text: "I will now" })).toMatchObject({ kind: "task", cutOff: true });
    expect(said({ text: "I will now", exitCode: 1 })).not.toHaveProperty("cutOff");
    expect(said({ text: "I will now", ended: "signal" })).not.toHaveProperty("cutOff");
    expect(said({ text: "TASK_COMPLETE" })).not.toHaveProperty("cutOff");
    expect(said({ text: "VERIFICATION_PASS" }, "verifier")).not.toHaveProperty("cutOff");
  });

  it("has what a verifier said as findings, and what others said as their claim alone", () => {
    expect(said({ text: "Two tests fail" }, "verifier").evidence).toEqual({
      ...{ command: null, claim: "Two tests fail", findings: "Two tests fail" },
    });
    expect(said({ text: "Two tests fail" }, "executor").evidence).toMatchObject({ findings: "" });
    expect(said({ text: "Two tests fail" }).evidence).toMatchObject({ findings: "" });
  });

  it("keeps no evidence of a prompt that was too long, and until when a service cannot be used", () => {
    const problem = (kind: string, more: object = {}) =>
      said({ text: "", exitCode: 1, problem: { kind, message: "Sorry", ...more } as never });
    expect(problem("context-exhausted")).toMatchObject({ kind: "context-exhausted", error: "Sorry" });
    expect(problem("context-exhausted")).not.toHaveProperty("evidence");
    expect(problem("rate-limit", { until: 90_000 })).toMatchObject({ until: 90_000, evidence: { command: null } });
    expect(problem("rate-limit")).not.toHaveProperty("until");
  });
});
