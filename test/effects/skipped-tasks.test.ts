import { describe, expect, it, vi } from "vitest";
import { createEffects } from "../../src/effects/create-effects.ts";
import { createRunMemory } from "../../src/effects/run-memory.ts";
import { withMemory } from "../../src/effects/with-memory.ts";
import { leftOut } from "../../src/model/left-out.ts";
import type { RunRecord } from "../../src/model/record.ts";
import { expectedOf } from "../../src/recover/expected-of.ts";
import { memoryStore } from "../../src/testing/memory-store.ts";
import { failedReply, scriptedExecutor } from "../../src/testing/scripted-executor.ts";
import { delegatedIn, goOn, memoryPorts, newRun } from "../support/memory-run.ts";
import { sampleFix } from "../support/sample-fix.ts";
import { plan as planOf, task } from "../support/sample-plan.ts";

const never = new AbortController().signal;
const policy = { recovery: ["fix" as const, "repair" as const], maxFixTasksPerOriginal: 1, maxFixTaskDepth: 1 };
const pruning = { "1.1": ["PRUNE: it is gone"], "1.1.1": ["PRUNE: it is gone"] };

describe("leftOut", () => {
  const tasks = [
    task("1", { done: false }),
    task("1.1", { parent: "1" }),
    task("1.2", { parent: "1", done: true }),
    task("1.3", { fixOf: "1", parent: null }),
    task("1.3.1", { fixOf: "1.3" }),
    task("2"),
  ];

  it("is nothing when nothing is skipped", () => {
    expect([...leftOut(planOf(...tasks), [])]).toEqual([]);
  });

  it("is what is skipped, and all open tasks that were made for it or stand in it", () => {
    expect([...leftOut(planOf(...tasks), ["1"])]).toEqual(["1", "1.1", "1.3", "1.3.1"]);
    expect([...leftOut(planOf(...tasks), ["1.1", "9"])]).toEqual(["1.1"]);
  });

  it("is not what was ticked since", () => {
    expect([...leftOut(planOf(task("1", { done: true }), task("2")), ["1"])]).toEqual([]);
  });
});

describe("expectedOf", () => {
  it.each([
    [{ doneWhen: "It is\n  there", verify: "`check`" }, "It is there; Verify: `check`"],
    [{ doneWhen: "It is there" }, "It is there"],
    [{ verify: "`check`" }, "Verify: `check`"],
    [{}, "Task 1"],
  ])("is what a task says that it comes to: %o", (fields, expected) => {
    expect(expectedOf(task("1", { fields }))).toBe(expected);
  });
});

describe("a run that leaves a task out", () => {
  const plan = "- [ ] 1.1 First\n- [ ] 1.2 Second\n";

  it("goes on without it and the fix that was made for it", async () => {
    const made = newRun(plan);
    const operator = scriptedExecutor(pruning);
    const executor = scriptedExecutor({ "1.1": [failedReply("1.1", "a")], "1.1.1": [failedReply("1.1.1", "b")] });
    const ports = { executors: { executor, verifier: executor, operator } };
    const ended = await goOn(made, executor, { policy, ports });
    expect(ended).toMatchObject({ outcome: "skipped", exitCode: 3, skipped: ["1.1"] });
    expect(delegatedIn(made)).toEqual(["1.1", "1.1.1", "1.1.1", "1.2"]);
    expect(made.store.tasks.text).toMatch(/\[ \] 1\.1 First.*\[ \] 1\.1\.1 \[FIX 1\.1\].*\[x\] 1\.2 Second/s);
  });

  it("goes on without a member of a batch", async () => {
    const made = newRun("- [ ] 1.1 [P] First\n- [ ] 1.2 [P] Second\n- [ ] 1.3 [P] Third\n");
    const executor = scriptedExecutor({ "1.1": [failedReply("1.1", "a")] });
    const ports = { executors: { executor, verifier: executor, operator: scriptedExecutor(pruning) } };
    const ended = await goOn(made, executor, { policy: { recovery: ["repair"] }, ports });
    expect(ended).toMatchObject({ outcome: "skipped", skipped: ["1.1"] });
    // And the question to the operator.
    expect(delegatedIn(made).sort()).toEqual(["1.1", "1.1", "1.2", "1.3"]);
  });
});

/** Effects over a plan of which some tasks were left out. */
function afterSkip(text: string, ...records: readonly RunRecord[]) {
  const store = memoryStore(text);
  const memory = createRunMemory({ open: 2 });
  const ports = withMemory({ ...memoryPorts(store, scriptedExecutor()), attempts: memory });
  for (const record of records) memory.apply(record);
  return { store, memory, ports, effects: createEffects(ports) };
}

const skipped = (justification: string | null): RunRecord => ({ type: "skipped", task: "1.1", justification });
const withFix = (one: string, fix: string, two: string): string =>
  `- [${one}] 1.1 First\n- [${fix}] 1.1.1 [FIX 1.1] Fix: boom\n- [${two}] 1.2 Second\n`;
const confirming = (finalVerify: string | null = null) => ({
  key: "run#1/confirmCompletion",
  finalVerify,
  timeoutMs: 1,
});
const choosing = { key: "run#1/chooseTask", maxParallel: 5, commit: false } as const;

describe("choosing and confirming, when a task was left out", () => {
  it("passes over it and its fix, and confirms what is done as all but that", async () => {
    const { effects } = afterSkip(withFix(" ", " ", "x"), skipped("gone"));
    expect(await effects.chooseTask(choosing, never)).toEqual({ kind: "none" });
    expect(await effects.confirmCompletion(confirming(), never)).toEqual({ kind: "skipped" });
    expect(await effects.confirmCompletion(confirming("check all"), never)).toEqual({ kind: "skipped" });
  });

  it("takes it up again when a person wants it", async () => {
    const { effects } = afterSkip(withFix(" ", " ", "x"), skipped("gone"), skipped(null));
    expect(await effects.chooseTask(choosing, never)).toMatchObject({ kind: "task", root: "1.1", current: "1.1.1" });
  });

  it("counts it as done once a person has ticked it, and its fix", async () => {
    const { effects } = afterSkip(withFix("x", "x", "x"), skipped("gone"));
    expect(await effects.confirmCompletion(confirming(), never)).toEqual({ kind: "complete" });
  });

  it("closes the fix that is left open when a person has ticked it alone", async () => {
    const { effects, store } = afterSkip(withFix("x", " ", "x"), skipped("gone"));
    expect(await effects.chooseTask(choosing, never)).toEqual({ kind: "none" });
    expect(store.tasks.text).toContain("- [x] 1.1.1 [FIX 1.1] Fix: boom\n  - **Not needed for**: 1.1\n");
    expect(await effects.confirmCompletion(confirming(), never)).toEqual({ kind: "complete" });
  });

  it("asks when another task is open, is gone, or was ticked by nobody", async () => {
    for (const change of [
      (text: string) => text.replace("[x] 1.2", "[ ] 1.2"),
      (text: string) => text.replace("- [x] 1.2 Second\n", ""),
      (text: string) => text.replace("[ ] 1.1 F", "[x] 1.1 F"),
      () => "Nothing\n",
    ]) {
      const { effects, ports, store } = afterSkip(withFix(" ", " ", "x"), skipped("gone"));
      await ports.plan.known();
      store.tasks.text = change(store.tasks.text);
      expect(await effects.confirmCompletion(confirming(), never)).toMatchObject({ kind: "gate" });
    }
  });

  it("begins no batch with it", async () => {
    const text = "- [ ] 1.1 [P] First\n- [ ] 1.2 [P] Second\n- [ ] 1.3 [P] Third\n";
    const { effects } = afterSkip(text, skipped("gone"), { type: "guided", task: "1.3", text: "There" });
    const chosen = await effects.chooseTask(choosing, never);
    const members = (chosen as { members: readonly { root: string; guidance?: string }[] }).members;
    expect(members.map(({ root, guidance }) => [root, guidance])).toEqual([
      ["1.2", undefined],
      ["1.3", "There"],
    ]);
  });

  it("cleans up nothing that was left out", async () => {
    const text = "- [ ] 1.1 [FINALLY] Clean up\n- [ ] 1.2 [FINALLY] Clean up more\n";
    const { effects } = afterSkip(text, skipped("gone"));
    const input = { key: "run#1.1/chooseCleanup", done: [] };
    expect(await effects.chooseCleanup(input, never)).toMatchObject({ kind: "task", root: "1.2" });
  });
});

describe("what is done although the run has to stop", () => {
  const cleaning = { key: "run#1.1/chooseCleanup", done: [] as string[] };
  const text = "- [ ] 1.1 First\n- [ ] 1.2 [FINALLY] Clean up\n- [ ] 1.2.1 [FIX 1.2] [FINALLY] Fix: boom\n";

  it("is the next task that cleans up, whatever it has spent before", async () => {
    const delegated = (attempt: number): RunRecord => ({
      ...{ type: "delegated", key: `1.2#${attempt}`, task: "1.2", role: "executor", attempt, retries: 0, elapsedMs: 0 },
    });
    const { effects } = afterSkip(text, delegated(1), delegated(2), {
      ...{ type: "intended", key: "1.2#2", fix: { ...sampleFix, id: "1.2.1", fixOf: "1.2" } },
    });
    expect(await effects.chooseCleanup(cleaning, never)).toStrictEqual({
      ...{ kind: "task", root: "1.2", current: "1.2" },
      spent: { "1.2": expect.objectContaining({ attempts: 2, waits: 2, fixes: ["1.2.1"] }) },
    });
  });

  it("is nothing else: no other task, no fix, and none that was done or is done already", async () => {
    expect(await afterSkip(text).effects.chooseCleanup({ ...cleaning, done: ["1.2"] }, never)).toStrictEqual({
      kind: "none",
    });
    expect(await afterSkip("- [ ] 1.1 First\n").effects.chooseCleanup(cleaning, never)).toStrictEqual({ kind: "none" });
    const ticked = afterSkip(text.replace("[ ] 1.2 ", "[x] 1.2 "));
    expect(await ticked.effects.chooseCleanup(cleaning, never)).toStrictEqual({ kind: "none" });
  });
});

describe("the final check", () => {
  it("is run over a plan that is done, and kept; the plan may be changed meanwhile", async () => {
    const { effects, store, ports } = afterSkip("- [x] 1.1 First\n");
    const records: RunRecord[] = [];
    const append = (made: readonly RunRecord[]) => void records.push(...made);
    const attempts = createRunMemory({ store: { append, writeOutput: () => {}, readOutput: async () => "" } });
    const own = createEffects({ ...ports, attempts });
    expect(await own.confirmCompletion(confirming("check all"), never)).toStrictEqual({ kind: "complete" });
    expect(records).toMatchObject([{ verify: { command: "check all", name: "run#1/confirmCompletion" } }]);
    await own.confirmCompletion(confirming(), never);
    expect(records[1]).not.toHaveProperty("verify");
    const shell = {
      exists: async () => true,
      run: async () => {
        store.tasks.text = "- [ ] 1.1 First\n";
        return { exitCode: 0, stdout: "", stderr: "", durationMs: 0, timedOut: false };
      },
    };
    expect(await createEffects({ ...ports, shell }).confirmCompletion(confirming("check all"), never)).toStrictEqual({
      kind: "gate",
      reason: "The plan was changed at the end of the run: 1.1",
      hint: expect.stringMatching(/, then run again$/),
    });
    expect(await effects.confirmCompletion(confirming("check all"), never)).toMatchObject({ kind: "gate" });
  });

  it("is not run over a plan that was changed", async () => {
    const { ports, store } = afterSkip("- [x] 1.1 First\n- [x] 1.2 Second\n");
    await ports.plan.known();
    store.tasks.text = "- [x] 1.1 First\n";
    const run = vi.fn(ports.shell.run);
    const shell = { ...ports.shell, run };
    const answer = await createEffects({ ...ports, shell }).confirmCompletion(confirming("check all"), never);
    expect(answer).toMatchObject({ reason: "The plan was changed at the end of the run: 1.2" });
    store.tasks.text = "- [x] 1.1 First\n- [ ] 1.3 Third\n";
    const both = await createEffects({ ...ports, shell }).confirmCompletion(confirming("check all"), never);
    expect(both).toMatchObject({ reason: "The plan was changed at the end of the run: 1.3, 1.2" });
    expect(run).not.toHaveBeenCalled();
  });
});
