import { describe, expect, it } from "vitest";
import { closeDone, closeFixes } from "../../src/effects/close-fixes.ts";
import { createEffects } from "../../src/effects/create-effects.ts";
import { createRunMemory } from "../../src/effects/run-memory.ts";
import { withMemory } from "../../src/effects/with-memory.ts";
import { readPlan } from "../../src/markdown/read-plan.ts";
import type { FailureDigest } from "../../src/model/failure.ts";
import { iterationsOn } from "../../src/model/ledger.ts";
import { noLimits } from "../../src/model/limits.ts";
import type { RunRecord } from "../../src/model/record.ts";
import type { CommandResult, Shell } from "../../src/ports/shell.ts";
import { memoryStore } from "../../src/testing/memory-store.ts";
import { scriptedExecutor } from "../../src/testing/scripted-executor.ts";
import { scriptedShell } from "../../src/testing/scripted-shell.ts";
import { recordAnswer } from "../support/answered.ts";
import { inputs } from "../support/effect-inputs.ts";
import { memoryPorts } from "../support/memory-run.ts";

const never = new AbortController().signal;
const plan = `- [ ] 1.1 Sum up
  - **Files**: src/a.ts
  - **Verify**: \`check\`
- [ ] 1.2 Behind
`;
/** What `check` prints when these tests fail. */
const failing = (...ids: string[]): Partial<CommandResult> => ({
  exitCode: 1,
  stdout: `TAP version 13\n${ids.map((id, index) => `not ok ${index + 1} - ${id}\n`).join("")}1..${ids.length}\n`,
});

/** Effects over a plan in memory, and what they record. @param checked What `check` ends with, one run after the other. */
function world(checked: readonly Partial<CommandResult>[] = [], text = plan, shell?: Shell) {
  const records: RunRecord[] = [];
  const store = {
    append: (made: readonly RunRecord[]) => records.push(...made),
    writeOutput: () => {},
    readOutput: async () => "",
  };
  const memory = createRunMemory({ open: 2, store });
  const documents = memoryStore(text);
  const base = memoryPorts(documents, scriptedExecutor(), shell ?? scriptedShell({ check: checked }));
  const ports = withMemory({ ...base, attempts: memory });
  const effects = createEffects(ports);
  /** An attempt, to its verdict. */
  const attempt = async (task: string, number = 1) => {
    await effects.delegate(inputs.delegate(task, number, { root: "1.1" }), never);
    return effects.verify(inputs.verify(task, number), never);
  };
  /** One that fails, and the fix task for it. */
  const failed = async (task: string, fixOf = task, supersedes: string | null = null): Promise<FailureDigest> => {
    expect(await attempt(task)).toMatchObject({ kind: "failed", layer: "verify" });
    const failure = await effects.readFailure(inputs.readFailure(task), never);
    const made = memory.ledger.tasks[fixOf]?.fixes.length ?? 0;
    await effects.insertFix(inputs.insertFix(task, failure, { fixOf, supersedes, made }), never);
    return failure;
  };
  const taskOf = (id: string) => readPlan(documents.tasks.text).tasks.find((task) => task.id === id);
  return { memory, documents, ports, effects, records, attempt, failed, taskOf };
}

describe("verify of a fix", () => {
  it("accepts it when the failure it was made for is gone, and says what is left", async () => {
    const { attempt, failed, memory } = world([failing("adds", "takes", "halves"), failing("takes", "halves")]);
    const { failing: before } = await failed("1.1");
    const answer = await attempt("1.1.1");
    expect(answer).toMatchObject({
      kind: "accepted",
      left: {
        failing: { stage: "tap", count: 2 },
        evidence: { command: { failures: [{ id: "takes" }, { id: "halves" }] } },
      },
    });
    expect(answer).not.toHaveProperty("unverified");
    expect(memory.intended("1.1.1")?.madeFor).toEqual({
      ...{ fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/), failing: before, first: expect.any(String) },
    });
    expect(memory.escalation("1.1")).toMatchObject({
      ...{ change: "progress", before: 3, lost: ["adds"], gained: [], sinceBest: 0, best: { tap: 2 } },
    });
    // Fewer fail than ever before: the limits on one task count from here.
    expect(memory.ledger.tasks["1.1"]?.beforeProgress).toEqual({ iterations: 1, fixes: 1 });
    expect(iterationsOn(memory.ledger.tasks, "1.1")).toBe(0);
  });

  it("says nothing of what is left where all passes", async () => {
    const { attempt, failed, memory } = world([failing("adds")]);
    await failed("1.1");
    expect(await attempt("1.1.1")).toEqual({ kind: "accepted" });
    expect(memory.escalation("1.1")).toMatchObject({ failing: null, evidence: null, best: { tap: 1 } });
  });

  it.each([
    ["what it was made for still fails", ["adds", "takes"]],
    ["another failure is gone instead", ["adds"]],
    ["it brings another one", ["takes", "halves"]],
  ])("turns it down where %s", async (_, ids) => {
    const { attempt, failed } = world([failing("adds", "takes"), failing(...ids)]);
    await failed("1.1");
    expect(await attempt("1.1.1")).toMatchObject({
      ...{ kind: "failed", layer: "verify" },
      reason: `Verify failed (exit 1), ${ids.length} of ${ids.length} failing: ${ids[0]}`,
    });
  });
});

describe("insertFix", () => {
  it("writes a fix for the first failure, with the Verify of the task", async () => {
    const { failed, taskOf, memory, records } = world([failing("adds", "takes")]);
    const failure = await failed("1.1");
    expect(taskOf("1.1.1")).toMatchObject({
      ...{ title: "Fix: adds", done: false, fixOf: "1.1" },
      fields: {
        verify: "`check`",
        doneWhen: "adds no longer fails, and no other check fails except: takes",
        files: "src/a.ts",
      },
    });
    expect(records.find(({ type }) => type === "intended")).toMatchObject({ key: "1.1#1", fix: { id: "1.1.1" } });
    expect(memory.ledger.tasks["1.1.1"]?.madeFor).toMatchObject({ failing: failure.failing });
  });

  it("writes one that names a program which is there", async () => {
    const { effects, taskOf } = world([], "- [ ] 1.1 Sum up\n  - **Verify**: npm test\n");
    const failure: FailureDigest = { kind: "task", error: "boom", attemptedFix: "", status: "", fingerprint: "f" };
    await effects.insertFix(inputs.insertFix("1.1", failure), never);
    expect(taskOf("1.1.1")?.fields.verify).toBe("npm test");
    const code = world([], plan, { ...scriptedShell(), exists: async () => false });
    await code.effects.insertFix(inputs.insertFix("1.1", failure), never);
    expect(code.taskOf("1.1.1")?.fields.verify).toBe("`check`");
  });

  it.each([
    ["stands nowhere", "- [ ] 1.1 Sum up\n"],
    ["is prose", "- [ ] 1.1 Sum up\n  - **Verify**: look at the page\n"],
    ["names a program that is not there", "- [ ] 1.1 Sum up\n  - **Verify**: npm test\n"],
  ])("writes none of a Verify that %s", async (_, text) => {
    const shell: Shell = { ...scriptedShell(), exists: async () => false };
    const { effects, taskOf, memory } = world([], text, shell);
    const failure: FailureDigest = { kind: "task", error: "boom", attemptedFix: "", status: "", fingerprint: "f" };
    expect(await effects.insertFix(inputs.insertFix("1.1", failure), never)).toEqual({
      kind: "inserted",
      fix: "1.1.1",
    });
    expect(taskOf("1.1.1")?.fields).toMatchObject({ doneWhen: 'Error "boom" no longer occurs' });
    expect(taskOf("1.1.1")?.fields).not.toHaveProperty("verify");
    expect(Object.values(memory.state.turn.fixes)).toMatchObject([{ id: "1.1.1", verify: null }]);
  });

  it("writes one that takes the place of another beside it, and leaves that open", async () => {
    const { failed, taskOf, memory } = world([failing("adds", "takes"), failing("adds", "takes")]);
    await failed("1.1");
    await failed("1.1.1", "1.1", "1.1.1");
    expect(taskOf("1.1.2")).toMatchObject({ fixOf: "1.1", done: false });
    expect(taskOf("1.1.1")?.done).toBe(false);
    expect(Object.values(memory.state.turn.fixes)).toContainEqual(
      expect.objectContaining({ id: "1.1.2", fixOf: "1.1", supersedes: "1.1.1" }),
    );
    expect([...memory.superseded()]).toEqual([["1.1.1", "1.1.2"]]);
    expect(memory.ledger.tasks["1.1"]?.fixes).toEqual(["1.1.1", "1.1.2"]);
  });

  it("is denied by a limit of the run, and writes nothing then", async () => {
    const { effects, documents } = world();
    const failure: FailureDigest = { kind: "task", error: "boom", attemptedFix: "", status: "", fingerprint: "f" };
    await effects.delegate(inputs.delegate("1.1"), never);
    const limits = { ...noLimits, maxGlobalIterations: 1 };
    expect(await effects.insertFix(inputs.insertFix("1.1", failure, { limits }), never)).toMatchObject({
      ...{ kind: "denied", limit: "maxGlobalIterations", task: "1.1" },
    });
    expect(documents.tasks.text).toBe(plan);
  });
});

/** A task with a fix, in whose place another one stands, and one below that in whose place another one stands. */
async function superseded() {
  const same = failing("adds", "takes");
  const made = world([same, failing("halves"), failing("halves"), same]);
  await made.failed("1.1");
  await made.failed("1.1.1");
  await made.failed("1.1.1.1", "1.1.1", "1.1.1.1");
  await made.failed("1.1.1.2", "1.1", "1.1.1");
  return made;
}

describe("closeFixes", () => {
  it("ticks the fixes of a task in whose place others stand, with a note, and theirs", async () => {
    const { ports, documents, taskOf, records, memory } = await superseded();
    expect(["1.1.1", "1.1.1.1"].map((id) => taskOf(id)?.done)).toEqual([false, false]);
    await closeFixes(ports, "1.1");
    expect(["1.1.1", "1.1.2", "1.1.1.1", "1.1.1.2", "1.1"].map((id) => taskOf(id)?.done)).toEqual([
      ...[true, false, true, false, false],
    ]);
    expect(documents.tasks.text).toContain("- **Superseded by**: 1.1.2\n");
    expect(documents.tasks.text).toContain("- **Superseded by**: 1.1.1.2\n");
    expect(records.filter(({ type }) => type === "closed")).toEqual([
      { type: "closed", fix: "1.1.1", by: "1.1.2" },
      { type: "closed", fix: "1.1.1.1", by: "1.1.1.2" },
    ]);
    expect(Object.keys(memory.state.accepted)).toEqual(["1.1.1", "1.1.1.1"]);
  });

  it("changes nothing when it is done again, and nothing of another task", async () => {
    const { ports, documents, records } = await superseded();
    const before = documents.tasks.text;
    await closeFixes(ports, "1.2");
    await closeFixes(ports, "1.1.2");
    expect(documents.tasks.text).toBe(before);
    await closeFixes(ports, "1.1");
    const closed = documents.tasks.text;
    const count = records.length;
    await closeFixes(ports, "1.1");
    expect([documents.tasks.text, records.length]).toEqual([closed, count]);
  });

  it("ticks the fixes of a task that was left out, with a note that they are not needed, and theirs", async () => {
    const { ports, failed, taskOf, documents, records, memory } = world([failing("adds"), failing("halves")]);
    await failed("1.1");
    await failed("1.1.1");
    recordAnswer(memory, "1.1#1/recordSkip", { kind: "skipped", skipped: { root: "1.1", justification: "no need" } });
    await ports.plan.tick("1.1", true);
    await closeDone(ports);
    expect(["1.1.1", "1.1.1.1"].map((id) => taskOf(id)?.done)).toEqual([true, true]);
    expect(documents.tasks.text).toContain("- **Not needed for**: 1.1\n");
    expect(documents.tasks.text).toContain("- **Not needed for**: 1.1.1\n");
    expect(records.filter(({ type }) => type === "closed")).toEqual([
      { type: "closed", fix: "1.1.1", by: "1.1" },
      { type: "closed", fix: "1.1.1.1", by: "1.1.1" },
    ]);
  });

  it("leaves a plan alone in which nothing is superseded", async () => {
    const { ports, failed, documents } = world([failing("adds")]);
    await failed("1.1");
    const before = documents.tasks.text;
    await closeFixes(ports, "1.1");
    expect(documents.tasks.text).toBe(before);
  });
});

describe("recordPass", () => {
  it("closes the fixes of the task in whose place others stand, and tells them in its history", async () => {
    const { effects, taskOf, documents } = await superseded();
    const fixes = ["1.1.1", "1.1.2"];
    expect(await effects.recordPass(inputs.recordPass("1.1", 1, { fixes }), never)).toEqual({
      ...{ kind: "recorded", commit: null },
    });
    expect(["1.1", "1.1.1", "1.1.1.1"].map((id) => taskOf(id)?.done)).toEqual([true, true, true]);
    expect(documents.log.text).toContain("Task 1.1: 2 fixes attempted (1.1.1 superseded, 1.1.2) - Final: PASS");
  });

  it("closes no fix of the task whose fix has passed", async () => {
    const { effects, taskOf } = await superseded();
    await effects.delegate(inputs.delegate("1.1.2", 1, { root: "1.1" }), never);
    await effects.recordPass(inputs.recordPass("1.1.2"), never);
    expect(["1.1.2", "1.1.1"].map((id) => taskOf(id)?.done)).toEqual([true, false]);
  });

  it("keeps that nothing has shown that a task is done, until something has", async () => {
    const { effects, attempt, memory } = world();
    await attempt("1.1");
    const pass = (unverified: boolean) => effects.recordPass(inputs.recordPass("1.1", 1, { unverified }), never);
    expect(await pass(true)).toEqual({ kind: "recorded", commit: null, unverified: true });
    expect(memory.unverified()).toEqual(["1.1"]);
    expect(await pass(false)).toEqual({ kind: "recorded", commit: null });
    expect(memory.unverified()).toEqual([]);
  });
});

describe("chooseTask", () => {
  const choosing = { key: "run#1/chooseTask", maxParallel: 1, commit: false } as const;

  it("goes on with the fix that has taken the place of another", async () => {
    const { effects } = await superseded();
    expect(await effects.chooseTask(choosing, never)).toMatchObject({ kind: "task", root: "1.1", current: "1.1.2" });
  });

  it("closes what is superseded of a task that a person has ticked", async () => {
    const { effects, ports, taskOf } = await superseded();
    await ports.plan.tick("1.1", true);
    expect(await effects.chooseTask(choosing, never)).toMatchObject({ kind: "task" });
    expect(taskOf("1.1.1")?.done).toBe(true);
  });
});
