import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RunOptions } from "../../../src/hosts/node/run-options.ts";
import { runSpec } from "../../../src/hosts/node/run-spec.ts";
import { temporaryFolder } from "../../support/folder.ts";

const plan = `# Tasks

- [ ] 1.1 [P] One
  - **Files**: a.ts
- [ ] 1.2 [P] Two
  - **Files**: a.ts
- [ ] 1.3 Three
`;
const failed = "Task 1.1: One FAILED\n- Error: boom\n- Attempted fix: looked\n- Status: Blocked\n";

function stuckBatch(recovery: readonly ["repair"] | readonly ["checkpoint"]) {
  const workspace = temporaryFolder();
  mkdirSync(join(workspace, "specs/demo"), { recursive: true });
  writeFileSync(join(workspace, "specs/demo/tasks.md"), plan);
  const project = {
    mended: false,
    delegated: [] as string[],
    prompts: [] as string[],
    boxes: () => readFileSync(join(workspace, "specs/demo/tasks.md"), "utf8").match(/\[[x ]\] 1/g),
    start: async (options: Partial<RunOptions> = {}) => {
      project.delegated = [];
      return runSpec({
        spec: "demo",
        workspace,
        yes: true,
        policy: { recovery: [...recovery] },
        executors: {
          executor: async ({ key, role, taskId, prompt }) => {
            project.delegated.push(key);
            if (role === "operator") return "ESCALATE: all I know | which way";
            project.prompts.push(prompt);
            return taskId === "1.1" && !project.mended ? failed : "TASK_COMPLETE";
          },
        },
        ...options,
      });
    },
  };
  return project;
}

describe.each([
  [["repair"], "gate"],
  [["checkpoint"], "checkpoint"],
] as const)("a question in a batch under %j", (recovery, outcome) => {
  it("is repeated by the next start, without a delegation", async () => {
    const project = stuckBatch(recovery);
    const first = await project.start();
    expect(first).toMatchObject({ outcome, exitCode: 3 });
    const again = await project.start();
    expect(again.outcome).toBe(outcome);
    expect(again.error?.split("\n").slice(0, 3)).toEqual(first.error?.split("\n").slice(0, 3));
    expect(project.delegated).toEqual([]);
    expect(project.boxes()).toEqual(["[ ] 1", "[x] 1", "[ ] 1"]);
  });

  it.each([
    [{ decision: "retry" }, "complete", ["1.1#2", "1.3#1"]],
    [{ guidance: "Use the other way" }, "complete", ["1.1#2", "1.3#1"]],
    [{ decision: "skip" }, "skipped", ["1.3#1"]],
    [{ decision: "stop" }, "cancelled", []],
  ] as const)("is answered by %j", async (words, end, delegated) => {
    const project = stuckBatch(recovery);
    await project.start();
    project.mended = true;
    project.prompts = [];
    expect(await project.start({ resume: true, ...words })).toMatchObject({ outcome: end });
    expect(project.delegated).toEqual(delegated);
    if ("guidance" in words) expect(project.prompts[0]).toContain(words.guidance);
  });
});

describe("questions of executors in a batch", () => {
  function askingBatch() {
    const project = stuckBatch(["checkpoint"]);
    const delegated: string[] = [];
    const prompts: string[] = [];
    const start = (options: Partial<RunOptions> = {}) => {
      delegated.length = 0;
      return project.start({
        executors: {
          executor: async ({ key, taskId, prompt }) => {
            delegated.push(key);
            prompts.push(prompt);
            if (taskId === "1.1" && !prompt.includes("Skip them")) return "BLOCKED: Skip duplicates, or stop?";
            if (taskId === "1.2" && !prompt.includes("Blue")) return "BLOCKED: Which colour?";
            return "TASK_COMPLETE";
          },
        },
        ...options,
      });
    };
    return { ...project, start, delegated, prompts };
  }

  it("are repeated by each start until they are answered, without a delegation", async () => {
    const project = askingBatch();
    const first = await project.start();
    expect(first).toMatchObject({ outcome: "gate", error: "The executor of task 1.1 asks: Skip duplicates, or stop?" });
    for (const options of [{}, { policy: { maxTaskIterations: 7 } }, { resume: true }]) {
      expect(await project.start(options)).toMatchObject({ outcome: "gate", error: first.error, hint: first.hint });
      expect(project.delegated).toEqual([]);
    }
    expect(await project.start({ resume: true, guidance: "Skip them" })).toMatchObject({
      outcome: "gate",
      error: "The executor of task 1.2 asks: Which colour?",
    });
    expect(project.delegated).toEqual(["1.1#2"]);
    expect(await project.start({ resume: true, guidance: "Blue" })).toMatchObject({ outcome: "complete" });
    expect(project.delegated).toEqual(["1.2#2", "1.3#1"]);
  });

  it.each([
    ["skip", "gate", []],
    ["retry", "gate", ["1.1#2"]],
    ["stop", "cancelled", []],
  ] as const)("are answered one by one by %j", async (decision, outcome, delegated) => {
    const project = askingBatch();
    await project.start();
    expect(await project.start({ resume: true, decision })).toMatchObject({ outcome });
    expect(project.delegated).toEqual(delegated);
  });

  it("are repeated after a limit that stopped another member", async () => {
    const project = askingBatch();
    const failing = (options: Partial<RunOptions>) =>
      project.start({
        executors: {
          executor: async ({ key, taskId }) => {
            project.delegated.push(key);
            return taskId === "1.1" ? failed : "BLOCKED: Which colour?";
          },
        },
        ...options,
      });
    const policy = { recovery: ["retry"], maxTaskIterations: 1 } as const;
    expect(await failing({ policy: { ...policy, recovery: [...policy.recovery] } })).toMatchObject({
      outcome: "limit",
    });
    await failing({ policy: { recovery: ["retry"], maxTaskIterations: 2 } });
    expect(project.delegated).toEqual(["1.1#2"]);
  });
});
