import { describe, expect, it } from "vitest";
import { RunRecord } from "../../src/model/record.ts";
import { digestOf, setOf } from "../support/sample-failure.ts";
import { sampleFix } from "../support/sample-fix.ts";

describe("RunRecord", () => {
  it.each([
    { type: "delegated", key: "1.3#1", task: "1.3", role: "executor", attempt: 1, retries: 0, elapsedMs: 12 },
    {
      type: "answered",
      key: "1.3#1/delegate",
      answer: { kind: "replied" },
      reply: { text: null, exitCode: 1, ended: "exit", usage: { costUsd: 0.2 }, headBefore: "abc1234" },
    },
    {
      type: "answered",
      key: "1.3#1/verify",
      answer: { kind: "accepted" },
      verify: {
        command: "npm test",
        name: "1.3#1/verify",
        result: { exitCode: null, stdout: "", stderr: "", durationMs: 5, timedOut: true },
        digest: null,
      },
    },
    {
      type: "judged",
      key: "1.3#1/verify",
      answer: { kind: "failed", layer: "reality", reason: "x" },
      reality: {
        command: "npm test",
        name: "1.3#1/reality",
        result: { exitCode: 1, stdout: "", stderr: "", durationMs: 5, timedOut: false },
        digest: digestOf(["adds"], { ran: 5, tail: "1 failed" }),
      },
    },
    { type: "closed", fix: "1.3.1", by: "1.3.2" },
    {
      type: "intended",
      key: "1.3#1",
      fix: { ...sampleFix, supersedes: "1.3.1", madeFor: { fingerprint: "f", failing: setOf("adds"), first: "a" } },
    },
  ])("takes %j as it is", (record) => {
    expect(RunRecord.parse(record)).toEqual(record);
  });

  it("reads a question of an older record as the claim that it is", () => {
    const reply = { text: "I looked.", headBefore: null };
    const record = { type: "answered", key: "1.3#1/delegate", answer: { kind: "replied" } } as const;
    const older = RunRecord.parse({ ...record, reply: { ...reply, question: "Which?" } });
    expect(older).toEqual({ ...record, reply: { ...reply, claim: { kind: "blocked", question: "Which?" } } });
    expect(RunRecord.parse(older)).toEqual(older);
  });

  it.each([
    { type: "unknown" },
    { type: "delegated", key: "1.3#1", task: "1.3", role: "nobody", attempt: 1, retries: 0, elapsedMs: 12 },
    { type: "answered", key: "x", answer: null, reply: { text: "x", ended: "somehow", headBefore: null } },
  ])("refuses %j", (record) => {
    expect(RunRecord.safeParse(record).success).toBe(false);
  });
});
