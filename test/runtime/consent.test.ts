import { describe, expect, it } from "vitest";
import type { Executor } from "../../src/ports/executor.ts";
import type { CommandConsent, CommandRequest } from "../../src/ports/ports.ts";
import { scriptedExecutor } from "../../src/testing/scripted-ports.ts";
import { continueRun, newRun } from "../support/memory-run.ts";

const block = (id: string, verify: string, marker = ""): string =>
  `- [ ] ${id}${marker} Task ${id}\n  - **Do**: Do it\n  - **Files**: src/${id}.ts\n  - **Done when**: done\n  - **Verify**: ${verify}\n  - **Commit**: \`feat: ${id}\`\n`;
const asking = (type: string, task: string, ...proposedTasks: string[]): string =>
  `TASK_MODIFICATION_REQUEST\n\`\`\`json\n${JSON.stringify({ type, originalTaskId: task, reasoning: "r", proposedTasks })}\n\`\`\`\n`;
const plan = `${block("1.1", "`check 1.1`")}\n${block("1.2", "`check 1.2`")}\n`;

function owned(answer: boolean) {
  const asked: CommandRequest[] = [];
  const consent = async (request: CommandRequest): Promise<CommandConsent> => {
    asked.push(request);
    return answer ? { given: true } : { given: false, hint: "ask" };
  };
  return { asked, ports: { consent } };
}

describe("commands that appear during a run", () => {
  it("need consent before a task that runs them is written", async () => {
    const made = newRun(plan);
    const { asked, ports } = owned(false);
    const executor = scriptedExecutor({ "1.1": [asking("ADD_PREREQUISITE", "1.1", block("1.0", "`rm -rf /`"))] });
    const ended = await continueRun(made, executor, { ports });
    expect(asked).toEqual([{ purpose: "verify", commands: ["rm -rf /"] }]);
    expect(ended).toMatchObject({ outcome: "gate", exitCode: 3 });
    expect(ended?.error).toContain("  rm -rf /");
    expect(made.store.tasks.text).toBe(plan);
  });

  it("may only be commands of the initial plan if no one can be asked", async () => {
    const made = newRun(plan);
    const proposal = asking("ADD_PREREQUISITE", "1.1", block("1.0", "`check 1.2`"));
    expect(await continueRun(made, scriptedExecutor({ "1.1": [proposal] }))).toMatchObject({ outcome: "complete" });
    const other = newRun(plan);
    const foreign = asking("ADD_PREREQUISITE", "1.1", block("1.0", "`check 9`"));
    expect(await continueRun(other, scriptedExecutor({ "1.1": [foreign] }))).toMatchObject({ outcome: "gate" });
  });

  it("do not include those that an executor wrote into a done task", async () => {
    const made = newRun(`- [x] 1.0 Done\n  - **Verify**: \`check 1.0\`\n${plan}`);
    const meddling: Executor = async ({ taskId }) => {
      if (taskId === "1.1") made.store.tasks.text = made.store.tasks.text.replace("`check 1.0`", "`rm -rf /`");
      return "TASK_COMPLETE";
    };
    const ended = await continueRun(made, meddling);
    expect(ended).toMatchObject({ outcome: "gate" });
    expect(ended?.error).toContain("Verify of task 1.0 changed");
  });

  it("need consent for a reality check, whatever other tasks may run", async () => {
    const progress = "# Progress\n\n## Reality Check (BEFORE)\n\n**Command**: `check 1.1`\n";
    const made = newRun(`${block("1.1", "`check 1.1`")}\n${block("VF", "`check VF`", " [VERIFY]")}`, progress);
    const { asked, ports } = owned(true);
    expect(await continueRun(made, scriptedExecutor(), { ports })).toMatchObject({ outcome: "complete" });
    expect(asked).toEqual([{ purpose: "reality", commands: ["check 1.1"] }]);
    expect(made.store.log.text).toContain("## Reality Check (AFTER)");
  });
});

describe("a split", () => {
  const split = (...parts: string[]) => scriptedExecutor({ "1.1": [asking("SPLIT_TASK", "1.1", ...parts)] });

  it("keeps the Verify of its task in one of its parts", async () => {
    const made = newRun(plan);
    await continueRun(made, split(block("1.1a", "`check 1.2`"), block("1.1b", "`check 1.2`")), owned(true));
    expect(made.events.find(({ type }) => type === "change.refused")).toEqual({
      type: "change.refused",
      task: "1.1",
      reason: "one part of a split must keep the Verify of its task",
    });
    const kept = newRun(plan);
    await continueRun(kept, split(block("1.1a", "`check 1.2`"), block("1.1b", "`check 1.1`")), owned(true));
    expect(kept.events.find(({ type }) => type === "plan.changed")).toMatchObject({ added: ["1.1a", "1.1b"] });
  });

  it("has parts whose Verify runs", async () => {
    const made = newRun(plan);
    await continueRun(
      made,
      split(block("1.1a", "`a.md` is right, and so is `b.md`"), block("1.1b", "`check 1.1`")),
      owned(true),
    );
    expect(made.events.find(({ type }) => type === "change.refused")).toMatchObject({
      reason: expect.stringContaining("the Verify of task 1.1a cannot be run"),
    });
  });

  it("passes the reason of a refusal to the next attempt", async () => {
    const executor = split(block("1.1a", "`a.md` is right, and so is `b.md`"), block("1.1b", "`check 1.1`"));
    await continueRun(newRun(plan), executor, owned(true));
    expect(executor.delegations[1]?.prompt).toContain("the plan was not changed as asked: the Verify of task 1.1a");
  });
});

describe("changes of the plan without a claim", () => {
  const ticking = (made: ReturnType<typeof newRun>, id: string): void => {
    made.store.tasks.text = made.store.tasks.text.replace(`[ ] ${id} `, `[x] ${id} `);
  };

  it("are reverted if an executor requests other tasks first", async () => {
    const made = newRun(plan);
    const executor = scriptedExecutor({
      "1.1": [
        () => {
          ticking(made, "1.1");
          return asking("ADD_PREREQUISITE", "1.1", block("1.0", "`check 1.1`"));
        },
      ],
    });
    expect(await continueRun(made, executor)).toMatchObject({ outcome: "complete", attempts: 4 });
    expect(made.events.filter(({ type }) => type === "task.rejected")).toEqual([]);
  });

  it("are reverted if a reviewer makes them, and raise a question if they edit the plan", async () => {
    const made = newRun(plan);
    const reviewer: Executor = async () => {
      ticking(made, "1.2");
      return "REVIEW_PASS";
    };
    const worker = scriptedExecutor();
    const executors = { executor: worker, verifier: worker, reviewer };
    expect(await continueRun(made, worker, { ports: { executors } })).toMatchObject({ outcome: "complete" });
    expect(made.events.filter(({ type }) => type === "task.rejected")).toEqual([]);

    const changed = newRun(plan);
    const rewriting: Executor = async () => {
      changed.store.tasks.text = changed.store.tasks.text.replace("`check 1.2`", "`true`");
      return "REVIEW_PASS";
    };
    const ended = await continueRun(changed, worker, { ports: { executors: { ...executors, reviewer: rewriting } } });
    expect(ended?.error).toContain("The plan was changed while task 1.2 was worked on: Verify of task 1.2 changed");
  });
});

describe("members of a batch", () => {
  const batch = `${block("1.1", "`check 1.1`", " [P]")}\n${block("1.2", "`check 1.2`", " [P]")}\n`;

  it("do not get the same task twice", async () => {
    const made = newRun(batch);
    const executor = scriptedExecutor({
      "1.1": [asking("ADD_PREREQUISITE", "1.1", block("1.0", "`check 1.1`"))],
      "1.2": [asking("ADD_PREREQUISITE", "1.2", block("1.0", "`check 1.2`"))],
    });
    expect(await continueRun(made, executor, owned(true))).toMatchObject({ outcome: "complete" });
    expect(made.events.filter(({ type }) => type === "change.refused")).toMatchObject([
      { reason: "the plan has a task 1.0 already" },
    ]);
  });

  it("have their logs merged when they are split", async () => {
    const made = newRun(batch);
    const executor = scriptedExecutor({
      "1.1": [
        () => {
          made.store.memberLogs.set("1.1", "- learned in 1.1\n");
          return asking("SPLIT_TASK", "1.1", block("1.1a", "`check 1.1`"), block("1.1b", "`check 1.1`"));
        },
      ],
    });
    expect(await continueRun(made, executor, owned(true))).toMatchObject({ outcome: "complete" });
    expect(made.store.memberLogs.size).toBe(0);
    expect(made.store.log.text).toContain("- learned in 1.1\n");
  });

  it("have the lines of passed fixes written even if their own attempts are spent", async () => {
    const made = newRun(batch);
    const failing = (task: string) => ({ text: `Task ${task}: it FAILED\n- Error: boom\n`, exitCode: 1 });
    const executor = scriptedExecutor({ "1.1": [failing("1.1"), failing("1.1")] });
    const policy = { recovery: ["fix" as const], maxFixTasksPerOriginal: 1 };
    expect(await continueRun(made, executor, { policy })).toMatchObject({ outcome: "limit" });
    expect(made.store.log.text).toContain("- [x] 1.1.1 Fix: boom\n- [x] 1.2 Task 1.2\n");
  });
});

describe("an executor with a block of zero duration", () => {
  it("is not asked again at once", async () => {
    const waits: number[] = [];
    let now = 0;
    const clock = {
      now: () => now,
      sleepUntil: async (time: number) => {
        waits.push(time - now);
        now = time;
      },
    };
    const limited = { text: "", exitCode: 1, problem: { kind: "rate-limit" as const, message: "later", until: 1 } };
    const executor = scriptedExecutor({ "1.1": [limited, limited] });
    expect(await continueRun(newRun(plan), executor, { ports: { clock } })).toMatchObject({ outcome: "complete" });
    expect(waits).toEqual([1000, 1000]);
  });
});
