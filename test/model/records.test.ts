import { describe, expect, it } from "vitest";
import { effects } from "../../src/model/effect.ts";
import { exitCodes, RunEnding } from "../../src/model/event.ts";
import { describeCheckout } from "../../src/model/git-evidence.ts";
import { RunRecord, wordOf } from "../../src/model/record.ts";
import { digestOf, setOf } from "../support/sample-failure.ts";
import { sampleFix } from "../support/sample-fix.ts";

describe("RunRecord", () => {
  it.each([
    { type: "delegated", key: "1.3#1", task: "1.3", role: "executor", attempt: 1, retries: 0, elapsedMs: 12 },
    {
      type: "answered",
      effect: "delegate",
      key: "1.3#1/delegate",
      answer: { kind: "replied" },
      reply: { text: null, exitCode: 1, ended: "exit", usage: { costUsd: 0.2 }, headBefore: "abc1234" },
    },
    {
      type: "answered",
      effect: "verify",
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
    { type: "reached", tasks: ["5.1"] },
    {
      type: "intended",
      key: "1.3#1",
      fix: { ...sampleFix, supersedes: "1.3.1", madeFor: { fingerprint: "f", failing: setOf("adds"), first: "a" } },
    },
  ])("accepts %j unchanged", (record) => {
    expect(RunRecord.parse(record)).toEqual(record);
  });

  it.each([
    { type: "unknown" },
    { type: "delegated", key: "1.3#1", task: "1.3", role: "nobody", attempt: 1, retries: 0, elapsedMs: 12 },
    { type: "answered", effect: "gatherParts", key: "x/gatherParts", answer: { kind: "gathered" }, reply: { text: 5 } },
    { type: "answered", effect: "wait", key: "x/wait", answer: { kind: "recorded" } },
    { type: "answered", effect: "ponder", key: "x/ponder", answer: { kind: "waited" } },
  ])("refuses %j", (record) => {
    expect(RunRecord.safeParse(record).success).toBe(false);
  });
});

describe("wordOf", () => {
  it("names the file of a message that a person has left for a run", () => {
    const by = { pid: 1, process: "node", parent: null, tty: null, name: "ann", word: "w-1" };
    const said = { type: "said", event: { type: "pause" }, by } as unknown as RunRecord;
    expect(wordOf(said)).toBe("w-1");
    expect(wordOf({ ...said, by: undefined } as unknown as RunRecord)).toBeUndefined();
    expect(wordOf({ type: "reset", task: "1.1" })).toBeUndefined();
  });
});

describe("exitCodes", () => {
  it("has one for every outcome, and 0 only for a complete run", () => {
    expect(Object.keys(exitCodes).sort()).toEqual([...RunEnding.options].sort());
    expect(Object.entries(exitCodes).filter(([, code]) => code === 0)).toEqual([["complete", 0]]);
  });
});

describe("effects", () => {
  it("have a key that names the attempt", () => {
    for (const { input } of Object.values(effects)) expect(input.shape).toHaveProperty("key");
  });

  it("may be answered by a denial if they check a limit", () => {
    const denial = { kind: "denied", limit: "maxGlobalIterations", task: "1.3", max: 100 };
    for (const name of ["delegate", "insertFix"] as const) expect(effects[name].answer.parse(denial)).toEqual(denial);
    expect(effects.recordPass.answer.safeParse(denial).success).toBe(false);
  });

  it("may be answered by a question if only a person can decide", () => {
    const question = { kind: "gate", reason: "Verify changed", hint: "Look at it" };
    for (const name of ["chooseTask", "verify", "confirmCompletion"] as const) {
      expect(effects[name].answer.parse(question)).toEqual(question);
    }
  });
});

it.each([
  [null, "no repository"],
  [{ root: "/w", branch: "main", head: null }, "branch `main` of `/w`"],
  [{ root: "/w", branch: null, head: "0123456789abcdef" }, "a detached HEAD at 0123456789ab of `/w`"],
])("describeCheckout renders %j: %s", (checkout, said) => expect(describeCheckout(checkout)).toBe(said));
