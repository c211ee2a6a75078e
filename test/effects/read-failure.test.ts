import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createRunMemory } from "../../src/effects/run-memory.ts";
import { withMemory } from "../../src/effects/with-memory.ts";
import { FailureDigest } from "../../src/model/failure.ts";
import type { RunRecord } from "../../src/model/record.ts";
import type { CommandResult } from "../../src/ports/shell.ts";
import { memoryStore } from "../../src/testing/memory-store.ts";
import { failedReply, type ScriptedAnswer, scriptedExecutor, scriptedShell } from "../../src/testing/scripted-ports.ts";
import { recordAnswer } from "../support/answered.ts";
import { inputs } from "../support/effect-inputs.ts";
import { memoryPorts } from "../support/memory-run.ts";
import { performing } from "../support/performing.ts";

const never = new AbortController().signal;
const ids = ["1.1", "1.2", "1.3", "1.4"];
const plan = ids
  .map((id) => `- [ ] ${id} Task\n  - **Files**: src/${id}.ts\n  - **Verify**: \`check ${id}\`\n`)
  .join("");

const unchecked = plan.replaceAll(/ {2}- \*\*Verify.*\n/g, "");

type Ends = Readonly<Record<string, readonly Partial<CommandResult>[]>>;

function world(ends: Ends = {}, said: Readonly<Record<string, readonly ScriptedAnswer[]>> = {}, text = plan) {
  const memory = createRunMemory({ open: 4 });
  const base = memoryPorts(
    memoryStore(text),
    scriptedExecutor(said),
    scriptedShell(Object.fromEntries(Object.entries(ends).map(([id, results]) => [`check ${id}`, results]))),
  );
  const effects = performing(withMemory({ ...base, attempts: memory }));
  const attempt = async (task: string, number = 1) => {
    await effects.delegate(inputs.delegate(task, number), never);
    return effects.verify(inputs.verify(task, number), never);
  };
  const fail = async (task: string, number = 1) => {
    expect(await attempt(task, number)).toMatchObject({ kind: "failed" });
    return effects.readFailure(inputs.readFailure(task, number), never);
  };
  return { memory, effects, attempt, fail };
}

const missing = { exitCode: 1, stderr: "sh: 1: vitest: not found\n" };
const tap = (...failed: string[]): Partial<CommandResult> => ({
  exitCode: 1,
  stdout: `TAP version 13\nok 1 - fine\n${failed.map((id, index) => `not ok ${index + 2} - ${id}\n`).join("")}1..${failed.length + 1}\n`,
});

describe("readFailure", () => {
  it("returns the failures that a tool names, and the lines to look at", async () => {
    const { fail } = world({ "1.1": [tap("adds", "takes")] }, { "1.1": ["I did it.\nTASK_COMPLETE"] });
    const digest = await fail("1.1");
    expect(digest).toMatchObject({
      ...{ kind: "task", error: "Verify failed (exit 1), 2 of 3 failing: adds" },
      failing: { stage: "tap", count: 2, ids: [expect.any(String), expect.any(String)], ran: 3 },
      evidence: {
        command: {
          line: "check 1.1",
          exitCode: 1,
          timedOut: false,
          source: "tools",
          failures: [{ id: "adds" }, { id: "takes" }],
        },
        ...{ claim: "I did it.\nTASK_COMPLETE", findings: "" },
      },
    });
    expect(FailureDigest.parse(JSON.parse(JSON.stringify(digest)))).toEqual(digest);
  });

  it("gives the same failures one fingerprint, whatever their words and order", async () => {
    const { fail } = world({
      "1.1": [tap("adds", "takes"), { ...tap("takes", "adds"), exitCode: 2 }, tap("adds", "halves")],
    });
    const prints = [await fail("1.1"), await fail("1.1", 2), await fail("1.1", 3)].map(
      ({ fingerprint }) => fingerprint,
    );
    expect(prints[0]).toBe(prints[1]);
    expect(prints[0]).not.toBe(prints[2]);
  });

  it("returns no failure set of an output cut off by a time limit", async () => {
    const { fail } = world({ "1.1": [{ ...tap("adds"), timedOut: true, exitCode: null }] });
    const digest = await fail("1.1");
    expect(digest).toMatchObject({
      ...{ kind: "timeout", error: expect.stringMatching(/^Verify timed out after \d+\w \(--verify-timeout\)$/) },
      evidence: { command: { exitCode: null, timedOut: true, failures: [{ id: "adds" }] } },
    });
    expect(digest).not.toHaveProperty("failing");
  });

  it("returns the executor's account of its own failure, and the findings of a verifier", async () => {
    const text = unchecked.replace("1.2 Task", "1.2 [VERIFY] Task");
    const said = { "1.1": [failedReply("1.1", "boom")], "1.2": ["It leaks.\nVERIFICATION_FAIL"] };
    const { fail } = world({}, said, text);
    expect(await fail("1.1")).toMatchObject({
      ...{ error: "boom", attemptedFix: "Checked alternate paths" },
      evidence: { command: null, claim: expect.stringContaining("- Error: boom"), findings: "" },
    });
    expect((await fail("1.2")).evidence).toEqual({
      ...{ command: null, claim: "It leaks.\nVERIFICATION_FAIL", findings: "It leaks.\nVERIFICATION_FAIL" },
    });
  });

  it("returns the uncaught error of a Node program, not the version line below it", async () => {
    const stderr = readFileSync(join(import.meta.dirname, "../fixtures/outputs/node-throws.txt"), "utf8");
    const { fail } = world({}, { "1.1": [{ text: "", exitCode: 1, stderr }] });
    expect((await fail("1.1")).error).toBe("TypeError: no such thing: 3");
  });

  it("says what the output did not state", async () => {
    const { fail } = world({ "1.1": [tap("adds")] });
    expect((await fail("1.1")).unstated).toEqual(["attemptedFix", "status"]);
    const said = { "1.2": ["- Error: boom\nTask 1.2: x FAILED\n- Error: boom"] };
    expect((await world({}, said, unchecked).fail("1.2")).unstated).toEqual(["attemptedFix", "status"]);
  });

  it("takes what was tried from a report with a red Verify, and the error from the Verify", async () => {
    const said = {
      "1.1": [failedReply("1.1", "boom", "Mocked the clock")],
      "1.2": ["Task 1.2: x FAILED\n- Error: no"],
    };
    const { fail } = world({ "1.1": [tap("adds")], "1.2": [tap("adds")] }, said);
    const error = "Verify failed (exit 1), 1 of 2 failing: adds";
    const status = "Blocked, needs manual intervention";
    const digest = await fail("1.1");
    expect(digest).toMatchObject({ error, attemptedFix: "Mocked the clock", status, reported: "boom" });
    expect(digest.signs?.strategy).toBe("Mocked the clock");
    expect(digest).not.toHaveProperty("unstated");
    expect(await fail("1.2")).toMatchObject({
      ...{ error, attemptedFix: "No fix attempted", status: "Verify did not pass" },
      unstated: ["attemptedFix", "status"],
    });
  });

  it("adds the failure to the history of the planned task", async () => {
    const { fail, memory } = world({ "1.1": [tap("adds", "takes"), tap("takes")] });
    await fail("1.1");
    const { failing } = await fail("1.1", 2);
    expect(memory.escalation("1.1")).toMatchObject({ failing, change: "progress", before: 2, sinceBest: 0 });
    expect(memory.ledger.tasks["1.1"]?.beforeProgress).toBeDefined();
  });
});

describe("readFailure with trouble of the environment", () => {
  const all = (result: Partial<CommandResult>): Ends => Object.fromEntries(ids.map((id) => [id, [result, result]]));

  it("is marked as repeated from the third consecutive task on", async () => {
    const { fail } = world(all(missing));
    const environment = "the program vitest is missing";
    for (const id of ["1.1", "1.2"]) {
      const digest = await fail(id);
      expect(digest.environment).toBe(environment);
      expect(digest).not.toHaveProperty("repeated");
    }
    expect(await fail("1.3")).toMatchObject({ environment, repeated: true });
    expect(await fail("1.4")).toMatchObject({ environment, repeated: true });
  });

  it("counts a task once, however often the task meets it", async () => {
    const { fail } = world(all(missing));
    for (const number of [1, 2]) expect(await fail("1.1", number)).not.toHaveProperty("repeated");
    expect(await fail("1.2")).not.toHaveProperty("repeated");
    expect(await fail("1.2", 2)).not.toHaveProperty("repeated");
    expect(await fail("1.3")).toHaveProperty("repeated", true);
  });

  it.each([
    ["another failure", { "1.3": [tap("adds")] }],
    ["other trouble", { "1.3": [{ exitCode: 1, stderr: "ENOSPC\n" }] }],
  ])("restarts its count after %s", async (_, between) => {
    const { fail } = world({ ...all(missing), ...between });
    for (const id of ids) expect(await fail(id)).not.toHaveProperty("repeated");
  });

  it("restarts its count after a passed task", async () => {
    const { fail, attempt, effects } = world({ ...all(missing), "1.3": [] });
    for (const id of ["1.1", "1.2"]) await fail(id);
    await attempt("1.3");
    await effects.recordPass(inputs.recordPass("1.3"), never);
    expect(await fail("1.4")).not.toHaveProperty("repeated");
  });

  it("restarts its count after a question to a person", async () => {
    const { fail, memory } = world(all(missing));
    for (const id of ["1.1", "1.2"]) await fail(id);
    recordAnswer(memory, "1.2#1/askPerson", { kind: "decided", decision: "retry" });
    expect(await fail("1.3")).not.toHaveProperty("repeated");
  });

  it("treats failing checks in files of no task as such trouble", async () => {
    const elsewhere = { exitCode: 1, stdout: "lib/x.ts(1,2): error TS2304: Cannot find name 'one'.\n" };
    const { fail } = world(all(elsewhere));
    const environment = "checks fail in files that no task names: lib/x.ts: TS2304 Cannot find name 'one'.";
    for (const id of ["1.1", "1.2"]) expect(await fail(id)).toMatchObject({ environment });
    expect(await fail("1.3")).toMatchObject({ environment, repeated: true });
    const own = { exitCode: 1, stdout: "src/1.2.ts(1,2): error TS2304: Cannot find name 'one'.\n" };
    expect(await world(all(own)).fail("1.1")).not.toHaveProperty("environment");
  });

  it("is known from records of an earlier start, until the trouble is over or a person was asked", async () => {
    const records = ["1.1", "1.2"].map(
      (task): RunRecord => ({
        ...{ type: "answered", effect: "readFailure", key: `${task}#1/readFailure` },
        answer: {
          kind: "task",
          error: "e",
          attemptedFix: "",
          status: "",
          fingerprint: "f",
          environment: "the program x is missing",
        },
      }),
    );
    const memory = createRunMemory();
    for (const record of records) memory.apply(record);
    expect(memory.meets("1.3", "the program x is missing")).toBe(3);
    expect(memory.meets("1.2", "the program x is missing")).toBe(2);
    expect(memory.meets("1.3", "the program y is missing")).toBe(1);
    const ended: RunRecord = {
      ...{ type: "ended", planHash: "", denial: null },
      ending: {
        ...{ type: "run.ended", outcome: "gate", exitCode: 3, original: 1, fixes: 0, attempts: 1 },
        ...{ skipped: [], tickedByHand: 0, durationMs: 0 },
      },
    };
    const asked: RunRecord = {
      type: "answered",
      effect: "askPerson",
      key: "1.2#1/askPerson",
      answer: { kind: "decided", decision: "skip" },
    };
    for (const last of [ended, asked]) {
      memory.apply(last);
      expect(memory.meets("1.3", "the program x is missing")).toBe(1);
      for (const record of records) memory.apply(record);
      expect(memory.meets("1.3", "the program x is missing")).toBe(3);
    }
  });
});
