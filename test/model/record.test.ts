import { describe, expect, it } from "vitest";
import { RunRecord } from "../../src/model/record.ts";

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
        result: { exitCode: null, stdout: "", stderr: "", durationMs: 5, timedOut: true },
      },
    },
  ])("takes %j as it is", (record) => {
    expect(RunRecord.parse(record)).toEqual(record);
  });

  it.each([
    { type: "unknown" },
    { type: "delegated", key: "1.3#1", task: "1.3", role: "nobody", attempt: 1, retries: 0, elapsedMs: 12 },
    { type: "answered", key: "x", answer: null, reply: { text: "x", ended: "somehow", headBefore: null } },
  ])("refuses %j", (record) => {
    expect(RunRecord.safeParse(record).success).toBe(false);
  });
});
