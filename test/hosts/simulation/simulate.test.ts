import { describe, expect, it } from "vitest";
import { failedReply, type SimulatedExecutor, simulate } from "../../../src/testing/index.ts";

const plan =
  "- [ ] 1.1 Read the lines\n  - **Verify**: `check 1.1`\n- [ ] 1.2 Sort them\n  - **Verify**: `check 1.2`\n";
const ladder = { recovery: ["retry", "fix", "repair", "pivot", "research", "checkpoint"] as const };
const policy = { ...ladder, recovery: [...ladder.recovery], maxTaskIterations: 2 };
const seeds = Array.from({ length: 20 }, (_, index) => index);

describe("a simulated run", () => {
  it("is identical with the same seed and options, and different with another seed", async () => {
    const told = async (seed: number): Promise<string> => JSON.stringify(await simulate({ plan, policy, seed }));
    const first = await Promise.all(seeds.map(told));
    expect(await Promise.all(seeds.map(told))).toEqual(first);
    expect(new Set(first).size).toBeGreaterThan(seeds.length / 2);
  });

  it("completes if executors do their tasks, and takes their time and costs", async () => {
    const { ended, tasks, progress, events, records } = await simulate({ plan, rates: { does: 1 } });
    expect(ended).toMatchObject({ outcome: "complete", attempts: 2, original: 2 });
    expect(ended.durationMs).toBeGreaterThan(2000);
    expect(ended.costUsd).toBeGreaterThan(0);
    expect(tasks).toBe(plan.replaceAll("[ ]", "[x]"));
    expect(progress).toContain("- [x] 1.1 Read the lines");
    expect(events.filter(({ type }) => type === "task.delegated")).toHaveLength(2);
    expect(events.at(-1)).toEqual(ended);
    expect(records.at(-1)).toMatchObject({ type: "ended", ending: ended });
  });

  it("accepts no claim that a Verify command disproves", async () => {
    const { ended, tasks } = await simulate({ plan, policy: { maxTaskIterations: 3 }, rates: { lies: 1 } });
    expect(ended).toMatchObject({ outcome: "limit", attempts: 3 });
    expect(tasks).toBe(plan);
  });

  it.each([
    [{ fails: 1 }, "limit"],
    [{ mumbles: 1 }, "limit"],
    [{ crashes: 1 }, "limit"],
    [{ blocks: 1 }, "gate"],
  ] as const)("ends as the behaviour of its executors implies: %j", async (rates, outcome) => {
    const { ended } = await simulate({ plan, policy: { recovery: ["retry"], maxTaskIterations: 2 }, rates });
    expect(ended.outcome).toBe(outcome);
  });

  it("ends executors that hang, at the time limit or for their silence", async () => {
    const options = { plan, rates: { hangs: 1 } };
    const limits = { maxTaskIterations: 1, taskTimeout: 3_600_000 };
    const [slow, silent] = [
      await simulate({ ...options, policy: limits }),
      await simulate({ ...options, policy: { ...limits, idleTimeout: 60_000 } }),
    ];
    expect(slow.ended.outcome).toBe("limit");
    // Verify before the work takes up to three seconds more.
    expect(slow.ended.durationMs - limits.taskTimeout).toBeGreaterThanOrEqual(0);
    expect(slow.ended.durationMs - limits.taskTimeout).toBeLessThan(3000);
    expect(silent.ended.durationMs).toBeLessThan(1_000_000);
  });

  it("waits for executors that are at their rate limit", async () => {
    const { ended } = await simulate({ plan, seed: 1, rates: { does: 1, unavailable: 1 } });
    expect(ended).toMatchObject({ outcome: "complete" });
    const impatient = await simulate({ plan, policy: { maxWait: 1000 }, rates: { unavailable: 1 } });
    expect(impatient.ended).toMatchObject({ outcome: "gate" });
    expect(impatient.ended.attempts).toBeLessThan(20);
  });

  it("asks the given person, who may be away", async () => {
    const asked: string[] = [];
    const { ended, records } = await simulate({
      ...{ plan, policy: { recovery: ["retry"], maxTaskIterations: 2 }, rates: { blocks: 1 } },
      person: async ({ task }) => {
        asked.push(task);
        return asked.length > 1 ? null : { kind: "guided", text: "The small one" };
      },
    });
    expect(asked).toEqual(["1.1", "1.1"]);
    expect(ended.outcome).toBe("gate");
    expect(records.filter(({ type }) => type === "delegated")).toHaveLength(2);
  });

  it("accepts boxes that are already ticked, and lets a final check pass", async () => {
    const done = plan.replace("[ ] 1.1", "[x] 1.1");
    const { ended } = await simulate({ plan: done, policy: { finalVerify: "check 1.1" }, rates: { does: 1 } });
    expect(ended).toMatchObject({ outcome: "complete", attempts: 1 });
    const other = await simulate({ plan, policy: { finalVerify: "npm test" }, rates: { does: 1 } });
    expect(other.ended.outcome).toBe("complete");
  });

  it("lets executors do their tasks if no other behaviour has a weight", async () => {
    expect((await simulate({ plan, rates: {} })).ended).toMatchObject({ outcome: "complete", attempts: 2 });
  });

  it("refuses a plan that no run can follow, and an invalid policy", async () => {
    await expect(simulate({ plan: `${plan}${plan}` })).rejects.toMatchObject({ code: "plan-refused" });
    await expect(simulate({ plan, policy: { maxTaskIterations: -1 } })).rejects.toMatchObject({
      code: "policy-invalid",
    });
  });
});

describe("a user's executor in a simulation", () => {
  it("replaces the simulated one", async () => {
    const keys: string[] = [];
    const executor: SimulatedExecutor = async ({ key, taskId, attempt }, _signal, world) => {
      keys.push(key);
      await world.wait(1000 * world.random());
      if (taskId === "1.1" && attempt === 1) return failedReply(taskId, "boom");
      world.finish();
      return "TASK_COMPLETE";
    };
    const { ended } = await simulate({ plan, policy: { recovery: ["retry"] }, executors: { executor } });
    expect(keys).toEqual(["1.1#1", "1.1#2", "1.2#1"]);
    expect(ended.outcome).toBe("complete");
  });

  it("is ended at the time limit, and does nothing after it", async () => {
    const executor: SimulatedExecutor = async ({ taskId, attempt }, _signal, world) => {
      await world.wait(taskId === "1.1" && attempt === 1 ? 60_001 : 10);
      world.finish();
      return "TASK_COMPLETE";
    };
    const limits = { recovery: ["retry" as const], maxTaskIterations: 1, taskTimeout: 60_000, verifyBefore: false };
    const { ended, tasks } = await simulate({ plan, policy: limits, executors: { executor } });
    expect(ended).toMatchObject({ outcome: "limit", attempts: 1, durationMs: 60_000 });
    expect(tasks).toBe(plan);
  });

  it("can change the plan like any other", async () => {
    const executor: SimulatedExecutor = async (_delegation, _signal, world) => {
      world.tasks.text = world.tasks.text.replace("`check 1.2`", "`reboot`");
      world.finish();
      return `${world.elapsedMs()}\nTASK_COMPLETE`;
    };
    const { ended } = await simulate({ plan, executors: { executor } });
    expect(ended.outcome).toBe("gate");
  });

  it("reviews the work of another executor", async () => {
    const reviewer: SimulatedExecutor = async ({ attempt }) =>
      attempt === 1 ? "CODE: it leaks\nREVIEW_FAIL" : "REVIEW_PASS";
    const reviewed = { maxTaskIterations: 3, recovery: ["retry" as const] };
    const { ended } = await simulate({ plan, policy: reviewed, rates: { does: 1 }, executors: { reviewer } });
    expect(ended.outcome).toBe("complete");
    expect(ended.attempts).toBeGreaterThan(2);
  });

  it("fails to start if it throws", async () => {
    const executor: SimulatedExecutor = async () => {
      throw new Error("no agent answers");
    };
    const { ended } = await simulate({ plan, executors: { executor } });
    expect(ended.outcome).toBe("environment");
  });
});
