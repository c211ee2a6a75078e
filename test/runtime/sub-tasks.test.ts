import { describe, expect, it } from "vitest";
import { readPlan } from "../../src/markdown/document/plan-document.ts";
import type { Executor } from "../../src/ports/executor.ts";
import { failedReply, scriptedExecutor } from "../../src/testing/scripted-ports.ts";
import { continueRun, delegatedIn, newRun } from "../support/memory-run.ts";
import { someMoments } from "../support/some-cases.ts";

const plan = `# Implementation Plan

- [ ] 1. Build the reader
  - **Do**: Put its parts together
  - [ ] 1.1 Read lines
    - Split at line ends
    - _Requirements: 1.1_
  - [ ] 1.2 Read fields
    - _Requirements: 1.2_
- [ ] 2. Document it
`;
const policy = { recovery: ["fix" as const], trustExecutor: true, maxFixTasksPerOriginal: 2 };
const failed = (task: string): string => failedReply(task, "boom");

describe("a run over tasks with sub-tasks", () => {
  it("completes sub-tasks and their fixes before their parent task, each as a root of its own", async () => {
    const made = newRun(plan);
    const executor = scriptedExecutor({
      "1.1": [failed("1.1")],
      "1.1.1": [failedReply("1.1.1", "bang")],
      "1.2": [failed("1.2"), failed("1.2")],
      "1": [failed("1")],
    });
    const ended = await continueRun(made, executor, { policy });
    const inFirst = ["1.1", "1.1.1", "1.1.1.1", "1.1.1", "1.1"];
    const inSecond = ["1.2", "1.2.1", "1.2", "1.2.2", "1.2"];
    expect(delegatedIn(made)).toEqual([...inFirst, ...inSecond, "1", "1.3", "1", "2"]);
    expect(ended).toMatchObject({ outcome: "complete", original: 4, fixes: 5 });
    expect(readPlan(made.store.tasks.text).tasks.map(({ id, parent, fixOf }) => [id, parent, fixOf])).toEqual([
      ["1", null, null],
      ["1.1", "1", null],
      ["1.1.1", "1", "1.1"],
      ["1.1.1.1", "1", "1.1.1"],
      ["1.2", "1", null],
      ["1.2.1", "1", "1.2"],
      ["1.2.2", "1", "1.2"],
      ["1.3", null, "1"],
      ["2", null, null],
    ]);
    expect(made.store.log.text).toContain("- Task 1: 1 fix attempted (1.3) - Final: PASS");
  });

  it("ticks a task that only groups others with the last of them, without a delegation", async () => {
    const made = newRun(plan.replace("  - **Do**: Put its parts together\n", ""));
    const ended = await continueRun(made, scriptedExecutor({ "1.2": [failed("1.2")] }), { policy });
    expect(delegatedIn(made)).toEqual(["1.1", "1.2", "1.2.1", "1.2", "2"]);
    expect(ended).toMatchObject({ outcome: "complete", original: 3, fixes: 1 });
    expect(readPlan(made.store.tasks.text).tasks.filter(({ done }) => !done)).toEqual([]);
  });

  it("ticks a group once, whenever a start is killed", async () => {
    for (const killedAt of someMoments(19)) {
      const made = newRun(plan.replace("  - **Do**: Put its parts together\n", ""));
      const executor = scriptedExecutor({});
      const ended =
        (await continueRun(made, executor, { policy, killedAt })) ?? (await continueRun(made, executor, { policy }));
      expect(ended).toMatchObject({ outcome: "complete", original: 3 });
      expect(readPlan(made.store.tasks.text).tasks.every(({ done }) => done)).toBe(true);
    }
  });

  it("skips optional tasks unless the policy includes them, and ticks their group without them", async () => {
    const optional = "- [ ] 1. Build it\n  - [ ] 1.1 Read lines\n  - [ ]* 1.2 Test lines\n- [ ] 2. Document it\n";
    const without = newRun(optional);
    expect(await continueRun(without, scriptedExecutor({}), { policy })).toMatchObject({ outcome: "complete" });
    expect(delegatedIn(without)).toEqual(["1.1", "2"]);
    expect(without.store.tasks.text).toMatch(/\[x\] 1\. [\s\S]*\[ \]\* 1\.2/);
    const all = newRun(optional);
    await continueRun(all, scriptedExecutor({}), { policy: { ...policy, optional: true } });
    expect(delegatedIn(all)).toEqual(["1.1", "1.2", "2"]);
  });

  it("lists at the end the steps that stay open", async () => {
    const made = newRun("- [ ] 1. Build it\n  - [ ] a\n  - [ ] b (deferred)\n- [x] 2. Document it\n  - [ ] c\n");
    const { leftOpen } = (await continueRun(made, scriptedExecutor({}), { policy })) ?? {};
    expect(made.store.tasks.text).toBe(
      "- [x] 1. Build it\n  - [x] a\n  - [ ] b (deferred)\n- [x] 2. Document it\n  - [ ] c\n",
    );
    expect(leftOpen).toEqual([
      { task: "1", why: "deferred" },
      { task: "2", why: "step" },
    ]);
  });

  it("counts the fixes of a sub-task against the sub-task only", async () => {
    const made = newRun(plan);
    const tries = [failed("1.1"), failed("1.1"), failed("1.1")];
    const ended = await continueRun(made, scriptedExecutor({ "1.1": tries }), { policy });
    expect(ended).toMatchObject({ outcome: "limit", exitCode: 1 });
    expect(made.store.log.text.match(/^- Task .*/gm)).toEqual([
      "- Task 1.1: 2 fixes attempted (1.1.1, 1.1.2) - Final: FAIL (max limit)",
    ]);
  });

  it("does not log done sub-tasks as failed if their parent task is given up", async () => {
    const made = newRun(plan);
    const script = { "1.1": [failed("1.1")], "1": [failed("1"), failed("1"), failed("1")] };
    await continueRun(made, scriptedExecutor(script), { policy });
    expect(made.store.log.text.match(/^- Task .*/gm)).toEqual([
      "- Task 1.1: 1 fix attempted (1.1.1) - Final: PASS",
      "- Task 1: 2 fixes attempted (1.3, 1.4) - Final: FAIL (max limit)",
    ]);
  });

  it("continues with the open fix of a sub-task after a kill", async () => {
    for (const killedAt of someMoments(23, 1)) {
      const made = newRun(plan);
      const executor: Executor = async ({ taskId }) =>
        ["1", "1.1"].includes(taskId) && !made.store.tasks.text.includes(`[FIX ${taskId}]`)
          ? failed(taskId)
          : "TASK_COMPLETE";
      const ended =
        (await continueRun(made, executor, { policy, killedAt })) ?? (await continueRun(made, executor, { policy }));
      expect(ended).toMatchObject({ outcome: "complete", original: 4, fixes: 2 });
      const passed = [...new Set(delegatedIn(made).toReversed())].toReversed();
      expect(passed).toEqual(["1.1.1", "1.1", "1.2", "1.3", "1", "2"]);
    }
  });
});
