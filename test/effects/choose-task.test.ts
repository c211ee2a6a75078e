import { describe, expect, it } from "vitest";
import { createEffects } from "../../src/effects/create-effects.ts";
import { createRunMemory } from "../../src/effects/run-memory.ts";
import { withMemory } from "../../src/effects/with-memory.ts";
import type { EffectInput } from "../../src/model/effect.ts";
import { noBook } from "../../src/model/pull-request-book.ts";
import type { RunRecord } from "../../src/model/record.ts";
import { memoryStore } from "../../src/testing/memory-store.ts";
import { scriptedExecutor } from "../../src/testing/scripted-executor.ts";
import { answered } from "../support/answered.ts";
import { memoryPorts } from "../support/memory-run.ts";
import { measuredFailure } from "../support/sample-failure.ts";
import { sampleFix } from "../support/sample-fix.ts";

const never = new AbortController().signal;
const member = (id: string, files: string, done = false): string =>
  `- [${done ? "x" : " "}] ${id} [P] Task\n  - **Files**: ${files}\n`;
const delegated = (task: string): RunRecord => ({
  ...{ type: "delegated", key: `${task}#1`, task, role: "executor", attempt: 1, retries: 0, elapsedMs: 0 },
});
const failed = (task: string): RunRecord => answered(`${task}#1/readFailure`, measuredFailure(["a"]));

async function choose(text: string, records: readonly RunRecord[] = [], more: Partial<EffectInput<"chooseTask">> = {}) {
  const store = memoryStore(text);
  const memory = createRunMemory();
  const effects = createEffects(withMemory({ ...memoryPorts(store, scriptedExecutor()), attempts: memory }));
  for (const record of records) memory.apply(record);
  const asked = { key: "run#1/chooseTask", maxParallel: 1, commit: false, ...more } as const;
  const answer = await effects.chooseTask(asked, never);
  return { answer, memory, log: await store.progress() };
}

describe("a choice of what is done next", () => {
  const two = "- [x] 1.1 First\n- [ ] 1.2 Second\n- [ ] 1.3 Third\n";

  it("is the first open task, with nothing of it where nothing was done", async () => {
    expect((await choose(two)).answer).toStrictEqual({ kind: "task", root: "1.2", current: "1.2", spent: {} });
    expect((await choose("- [x] 1.1 First\n")).answer).toStrictEqual({ kind: "none" });
    expect((await choose("- [ ] VE1 [VERIFY] E2E: it starts\n")).answer).toMatchObject({ root: "VE1" });
  });

  it("tells what its tree has spent, how far it has climbed, what was chosen for it and advised", async () => {
    const directive = { strategy: "retry", adjustment: "Slower" };
    const { answer } = await choose(two, [
      ...[delegated("1.2"), failed("1.2"), answered("1.2#1/askOperator", { kind: "directed", directive })],
      { type: "guided", task: "1.2", text: "Read it" },
    ]);
    expect(answer).toMatchObject({
      ...{ kind: "task", root: "1.2", guidance: "Read it", repairs: [{ task: "1.2", directive }] },
      ...{ spent: { "1.2": { attempts: 1, repairs: 1 } }, escalation: { failures: 1 } },
    });
  });

  it("counts the open tasks once: those of the first choice", async () => {
    const { memory } = await choose(two);
    expect(memory.ledger.open).toBe(2);
    memory.opened(() => 7);
    expect(memory.ledger.open).toBe(2);
  });

  it("passes over what is left out, and tells of it where something was done for it", async () => {
    const skipped = (task: string): RunRecord => ({ type: "skipped", task, justification: "gone" });
    const untouched = await choose(two, [skipped("1.2")]);
    expect(untouched.answer).toMatchObject({ root: "1.3" });
    expect(untouched.log).not.toContain("1.2");
    const tried = await choose(two, [delegated("1.2"), failed("1.2"), skipped("1.2")]);
    expect(tried.answer).toMatchObject({ root: "1.3" });
    expect(tried.log).toContain("1.2");
    const done = await choose(two, [delegated("1.1"), failed("1.1"), skipped("1.1")]);
    expect(done.log).not.toContain("1.1");
  });
});

describe("what a choice tells in the log of what is left out", () => {
  const text = "- [ ] 1.1 First\n- [ ] 1.1.1 [FIX 1.1] Fix: adds\n- [ ] 1.1.2 [FIX 1.1] Fix: adds\n- [ ] 1.2 Second\n";
  const skipped: RunRecord = { type: "skipped", task: "1.1", justification: "gone" };
  const fixed = (id: string, more: object = {}): RunRecord => ({
    ...{ type: "intended", key: `1.1#${id}`, fix: { ...sampleFix, id, fixOf: "1.1", ...more } },
  });

  it("is the fixes that it had, and which of them others have taken the place of", async () => {
    const { log } = await choose(text, [delegated("1.1"), failed("1.1"), fixed("1.1.1"), skipped]);
    expect(log).toContain("Task 1.1: 1 fix attempted (1.1.1) - Final: SKIPPED");
    const again = [delegated("1.1"), fixed("1.1.1"), fixed("1.1.2", { supersedes: "1.1.1" }), skipped];
    expect((await choose(text, again)).log).toContain(
      "Task 1.1: 2 fixes attempted (1.1.1 superseded, 1.1.2) - Final: SKIPPED",
    );
  });
});

describe("a choice in a run that makes a pull request", () => {
  it("passes over the milestones of the plan, and tells at the end what is known of the pull request", async () => {
    const plan = "- [x] 1.1 First\n\n## Phase 5: PR Lifecycle\n\n- [ ] 5.1 Create the PR\n- [ ] 5.2 Paint it\n";
    expect((await choose(plan, [], { ships: true })).answer).toMatchObject({ kind: "task", root: "5.2" });
    expect((await choose(plan)).answer).toMatchObject({ kind: "task", root: "5.1" });
    const done = plan.replace("[ ] 5.2", "[x] 5.2");
    expect((await choose(done, [], { ships: true })).answer).toStrictEqual({ kind: "none", pullRequest: noBook });
  });
});

describe("a choice of a batch", () => {
  const text = [
    ...[member("1.1", "`src/a.ts`, `src/b.ts`"), member("1.2", "`src/c.ts`"), member("1.3", "`src/b.ts`, `src/d.ts`")],
    ...[member("1.4", "`src/e.ts`", true), member("1.5", "`src/d.ts`, `src/a.ts`")],
  ].join("");
  const rootsOf = ({ answer }: Awaited<ReturnType<typeof choose>>) =>
    answer.kind === "batch" ? answer.members.map(({ root, after }) => [root, ...after]) : answer.kind;

  it("puts members behind the earlier ones that name a file of theirs", async () => {
    expect(rootsOf(await choose(text, [], { maxParallel: 2 }))).toEqual([
      ...[["1.1"], ["1.2"], ["1.3", "1.1"], ["1.5", "1.1", "1.3"]],
    ]);
  });

  it("is none where one at a time is allowed, or its tasks are never batched again", async () => {
    expect(rootsOf(await choose(text))).toBe("task");
    const extended = [
      answered("run#1/chooseTask", { kind: "batch", members: [{ root: "1.1" }, { root: "1.2" }] }),
      answered("1.1#1/changePlan", { kind: "extended" }),
    ];
    expect(rootsOf(await choose(text, extended, { maxParallel: 2 }))).toBe("task");
  });

  it("writes the lines that a batch before has left", async () => {
    const left = [delegated("1.4"), { type: "passed", key: "1.4#1", commit: "abc1234" } as const];
    const { log, memory } = await choose(text, left, { maxParallel: 2 });
    expect(log).toContain("1.4");
    expect(log).toContain("abc1234");
    expect(memory.unlogged().size).toBe(0);
  });
});
