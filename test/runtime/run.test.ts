import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readPlan } from "../../src/markdown/read-plan.ts";
import type { Executor } from "../../src/ports/executor.ts";
import { policies } from "../../src/testing/arbitraries.ts";
import { failedReply, scriptedExecutor } from "../../src/testing/scripted-executor.ts";
import { scriptedShell } from "../../src/testing/scripted-shell.ts";
import { fates } from "../support/arbitraries.ts";
import { hostileTexts } from "../support/markdown-arbitraries.ts";
import { delegatedIn, goOn, type MemoryRun, newRun } from "../support/memory-run.ts";
import type { Fate } from "../support/play-task.ts";
import { prop } from "../support/prop.ts";

const plan = `# Tasks

## Phase 1: Make it work

- [x] 1.1 Set up
  - **Verify**: \`true\`

- [ ] 1.2 Read the input
  - **Do**: Write the reader
  - **Files**: src/read.ts
  - **Verify**: \`check read\`
  - **Commit**: \`feat(read): add reader\`

- [ ] 1.10 Write the output
  - **Verify**: \`check write\`

## Phase 2: Check

- [ ] 2.1 [VERIFY] All together
  - **Verify**: \`check all\`
`;
const fix = { recovery: ["fix" as const] };

/** An executor whose attempts have the fates given, in order. */
function fated(script: readonly Fate[]): Executor {
  const left = [...script];
  return async ({ taskId, role }) => {
    const fate = left.shift() ?? "accepted";
    if (fate === "failed") return failedReply(taskId, `boom ${left.length}`);
    const signal = role === "verifier" ? "VERIFICATION_PASS" : "TASK_COMPLETE";
    return fate === "rejected" ? `It needs human eyes\n${signal}` : signal;
  };
}

const ids = (text: string): string[] => readPlan(text).tasks.map(({ id }) => id);
const stripFixes = (text: string): string => {
  const fixes = readPlan(text).tasks.filter(({ fixOf }) => fixOf !== null);
  return fixes.reduceRight((left, { start, end }) => `${left.slice(0, start)}${left.slice(end)}`, text);
};

describe("run", () => {
  it("brings a plan to its end and says what it did", async () => {
    const made = newRun(plan);
    const executor = scriptedExecutor({ "1.2": [failedReply("1.2", "File not found: src/parser.ts")] });
    const ended = await goOn(made, executor, { policy: fix });
    expect(ended).toMatchObject({
      outcome: "complete",
      exitCode: 0,
      original: 4,
      fixes: 1,
      attempts: 5,
      tickedByHand: 1,
    });
    expect(delegatedIn(made)).toEqual(["1.2", "1.2.1", "1.2", "1.10", "2.1"]);
    expect(readPlan(made.store.tasks.text).tasks.every(({ done }) => done)).toBe(true);
    expect(made.store.log.text).toContain("- Task 1.2: 1 fix attempted (1.2.1) - Final: PASS");
    expect(made.store.log.text).toContain("- [x] 1.10 Write the output");
  });

  it("tells the executor of a retry what went wrong before", async () => {
    const executor = scriptedExecutor({ "1.2": [failedReply("1.2", "boom")] });
    await goOn(newRun(plan), executor);
    expect(executor.delegations[1]?.prompt).toContain("- Error: boom");
  });

  it("makes a fix for a Verify that does not pass", async () => {
    const made = newRun(plan);
    const shell = scriptedShell({ "check read": [{ exitCode: 1, stderr: "reader missing\n" }] });
    await goOn(made, scriptedExecutor(), { policy: fix, shell });
    expect(made.store.tasks.text).toContain("[FIX 1.2] Fix: reader missing\n");
  });

  it("lets a fix task pass whose copied Verify fails with another error", async () => {
    const made = newRun(plan);
    const shell = scriptedShell({
      "check read": [
        { exitCode: 1, stderr: "reader missing\n" },
        { exitCode: 1, stderr: "writer missing\n" },
      ],
    });
    const ended = await goOn(made, scriptedExecutor(), { policy: fix, shell });
    expect(ended?.outcome).toBe("complete");
    expect(delegatedIn(made).slice(0, 3)).toEqual(["1.2", "1.2.1", "1.2"]);
  });

  it("stops for a person when Verify cannot run", async () => {
    const shell = scriptedShell({ "check read": [{ exitCode: 127, stderr: "check: not found\n" }] });
    const ended = await goOn(newRun(plan), scriptedExecutor(), { policy: fix, shell });
    expect(ended).toMatchObject({
      outcome: "gate",
      exitCode: 3,
      error: "Task 1.2: the Verify command cannot run\nVerify: check read\nExit 127: check: not found",
    });
  });

  it("shows of a Verify that cannot run no more than fits a line", async () => {
    const long = `check ${"x".repeat(200)}`;
    const shell = scriptedShell({ [long]: [{ exitCode: 126, stdout: `${"y".repeat(200)}\n` }] });
    const ended = await goOn(newRun(`- [ ] 1.1 A\n  - **Verify**: \`${long}\`\n`), scriptedExecutor(), { shell });
    expect(ended?.error).toBe(
      `Task 1.1: the Verify command cannot run\nVerify: ${long.slice(0, 120)}\nExit 126: ${"y".repeat(120)}`,
    );
    const silent = scriptedShell({ [long]: [{ exitCode: 127 }] });
    const other = await goOn(newRun(`- [ ] 1.1 A\n  - **Verify**: \`${long}\`\n`), scriptedExecutor(), {
      shell: silent,
    });
    expect(other?.error).toMatch(/\nExit 127$/);
  });

  it("takes back a tick that nobody accepted, and rejects the claim", async () => {
    const made = newRun(plan);
    const executor = scriptedExecutor({
      "1.2": [
        () => {
          made.store.tasks.text = made.store.tasks.text.replace("[ ] 1.10", "[x] 1.10");
          return "TASK_COMPLETE";
        },
      ],
    });
    expect((await goOn(made, executor))?.outcome).toBe("complete");
    expect(delegatedIn(made)).toEqual(["1.2", "1.2", "1.10", "2.1"]);
    expect(made.events.find(({ type }) => type === "task.rejected")).toMatchObject({
      task: "1.2",
      layer: "checkmarks",
      reason: "checkmark mismatch: expected 1.1, found 1.1, 1.10",
    });
  });

  it("accepts an executor's own tick and its notes", async () => {
    const made = newRun(plan);
    const executor = scriptedExecutor({
      "1.2": [
        () => {
          const text = made.store.tasks.text.replace("[ ] 1.2", "[x] 1.2");
          made.store.tasks.text = text.replace(
            "  - **Commit**: `feat(read)",
            "  - Note: done\n  - **Commit**: `feat(read)",
          );
          return "TASK_COMPLETE";
        },
      ],
    });
    expect((await goOn(made, executor))?.outcome).toBe("complete");
    expect(delegatedIn(made)).toEqual(["1.2", "1.10", "2.1"]);
    expect(made.store.tasks.text).toContain("- Note: done");
  });

  it("stops with the difference when an executor changes the plan, whatever it claims", async () => {
    for (const claim of ["TASK_COMPLETE", failedReply("1.2", "boom")]) {
      const made = newRun(plan);
      const executor = scriptedExecutor({
        "1.2": [
          () => {
            made.store.tasks.text = made.store.tasks.text.replace("`check all`", "`true`");
            return claim;
          },
        ],
      });
      const ended = await goOn(made, executor, { policy: fix });
      expect(ended).toMatchObject({ outcome: "gate", exitCode: 3 });
      expect(ended?.error).toContain("Verify of task 2.1 changed from");
    }
  });

  it("stops at the global limit without starting another executor", async () => {
    const made = newRun(plan);
    const ended = await goOn(made, scriptedExecutor(), { policy: { maxGlobalIterations: 2 } });
    expect(ended).toMatchObject({ outcome: "limit", exitCode: 1, attempts: 2 });
    expect(ended?.error).toContain("Maximum global iterations (2) reached");
    expect(delegatedIn(made)).toEqual(["1.2", "1.10"]);
  });

  it("logs the fixes of a task that could not be finished", async () => {
    const made = newRun(plan);
    const policy = { ...fix, maxFixTasksPerOriginal: 1 };
    const script = { "1.2": [failedReply("1.2", "a"), failedReply("1.2", "b")] };
    const ended = await goOn(made, scriptedExecutor(script), { policy });
    expect(ended?.error).toContain("Max fix attempts (1) reached for task 1.2");
    expect(made.store.log.text).toContain("- Task 1.2: 1 fix attempted (1.2.1) - Final: FAIL (max limit)");
  });

  it("ends as an environment's refusal when the executor cannot be had", async () => {
    const executor: Executor = async () => ({ text: "no such agent", ended: "spawn" });
    expect(await goOn(newRun(plan), executor)).toMatchObject({ outcome: "environment", exitCode: 5 });
  });
});

describe("run, for every policy and every sequence of fates", () => {
  prop("I5: counts the tasks that stand in the plan", [policies(), fates], async (policy, script) => {
    const made = newRun(plan);
    const ended = await goOn(made, fated(script), { policy });
    const { tasks } = readPlan(made.store.tasks.text);
    expect(ended?.fixes).toBe(tasks.filter(({ fixOf }) => fixOf !== null).length);
    expect((ended?.original ?? 0) + (ended?.fixes ?? 0)).toBe(tasks.length);
  });

  prop("I6: adds fixes and loses, renames and reorders nothing", [policies(), fates], async (policy, script) => {
    const made = newRun(plan);
    await goOn(made, fated(script), { policy });
    const after = readPlan(made.store.tasks.text).tasks;
    expect(after.filter(({ fixOf }) => fixOf === null).map(({ id }) => id)).toEqual(ids(plan));
    expect(new Set(after.map(({ id }) => id)).size).toBe(after.length);
  });

  prop(
    "I4: marks every fix with the task it repairs, which stands before it",
    [policies(), fates],
    async (policy, script) => {
      const made = newRun(plan);
      await goOn(made, fated(script), { policy });
      const { tasks } = readPlan(made.store.tasks.text);
      tasks.forEach(({ id, fixOf, markers }, index) => {
        if (fixOf === null) return;
        expect(markers).toEqual([`FIX ${fixOf}`]);
        expect(id.slice(0, id.lastIndexOf("."))).toBe(fixOf);
        expect(tasks.findIndex((task) => task.id === fixOf)).toBeLessThan(index);
      });
    },
  );

  prop("I7: changes nothing but boxes and whole fix blocks", [policies(), fates], async (policy, script) => {
    const made = newRun(plan);
    await goOn(made, fated(script), { policy });
    const bare = (text: string): string => stripFixes(text).replaceAll("[x]", "[ ]").replace(/\n+/g, "\n");
    expect(bare(made.store.tasks.text)).toBe(bare(plan));
  });

  prop(
    "I10: is complete exactly when every box is ticked and accounted for",
    [policies(), fates],
    async (policy, script) => {
      const made = newRun(plan);
      const ended = await goOn(made, fated(script), { policy });
      const open = readPlan(made.store.tasks.text).tasks.filter(({ done }) => !done);
      expect(ended?.outcome === "complete").toBe(open.length === 0);
      const passed = new Set(made.events.flatMap((event) => (event.type === "task.passed" ? [event.task] : [])));
      const ticked = readPlan(made.store.tasks.text)
        .tasks.filter(({ done }) => done)
        .map(({ id }) => id);
      expect(ticked.filter((id) => !passed.has(id))).toEqual(["1.1"]);
    },
  );

  prop(
    "I10: is never completed by what an executor says",
    [fc.string({ unit: "binary", maxLength: 300 })],
    async (said) => {
      const text = `> TASK_COMPLETE\n\`\`\`\nTASK_COMPLETE\n\`\`\`\nsaid: TASK_COMPLETE ${said.replace(/[\r\n]/g, " ")}`;
      const ended = await goOn(newRun(plan), async () => text);
      expect(ended?.outcome).toBe("limit");
    },
  );

  prop(
    "I13: turns any output into exactly one more task, with the fields intended",
    [fc.oneof(fc.string({ unit: "binary" }), hostileTexts)],
    async (said) => {
      const made = newRun(plan);
      const policy = { ...fix, maxFixTasksPerRoot: 1, maxTaskIterations: 1 };
      await goOn(made, async ({ taskId }) => failedReply(taskId, said, said), { policy });
      const added = readPlan(made.store.tasks.text).tasks.filter(({ id }) => !ids(plan).includes(id));
      expect(added).toMatchObject([
        { id: "1.2.1", fixOf: "1.2", done: false, fields: { files: "src/read.ts", verify: "`check read`" } },
      ]);
    },
  );

  /** Fails until a fix of the task is ticked, as an executor does that looks at its work. */
  const looking =
    (made: MemoryRun): Executor =>
    async ({ taskId, role }) => {
      const { tasks } = readPlan(made.store.tasks.text);
      const fixed = tasks.some(({ fixOf, done }) => fixOf === taskId && done);
      if (["1.2", "1.2.1", "1.10"].includes(taskId) && !fixed) return failedReply(taskId, `boom in ${taskId}`);
      return role === "verifier" ? "VERIFICATION_PASS" : "TASK_COMPLETE";
    };

  prop(
    "I15: ends the same wherever it is killed, with one delegation more at most",
    [fc.array(fc.nat(30), { maxLength: 6 })],
    async (kills) => {
      const whole = newRun(plan);
      await goOn(whole, looking(whole), { policy: fix });
      const made = newRun(plan);
      let killed = 0;
      for (const kill of [...kills].sort((a, b) => a - b)) {
        if ((await goOn(made, looking(made), { policy: fix, killedAt: kill })) !== null) break;
        killed++;
      }
      await goOn(made, looking(made), { policy: fix });
      expect(made.store.tasks.text).toBe(whole.store.tasks.text);
      expect(made.store.log.text).toBe(whole.store.log.text);
      expect(delegatedIn(made).length).toBeLessThanOrEqual(delegatedIn(whole).length + killed);
      expect([...new Set(delegatedIn(made))]).toEqual([...new Set(delegatedIn(whole))]);
    },
    // Seven starts in each at most; the campaigns `simulation` and `interleavings` make thousands.
    35,
  );

  prop("I18: replays its records to the same next effect", [policies(), fates], async (policy, script) => {
    const made = newRun(plan);
    const ended = await goOn(made, fated(script), { policy });
    const again: MemoryRun = { ...made, events: [], records: [...made.records] };
    const executor = scriptedExecutor();
    expect(await goOn(again, executor, { policy })).toEqual(ended);
    expect(executor.delegations).toEqual([]);
  });
});
