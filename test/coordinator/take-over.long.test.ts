import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeExecutor } from "../support/project.ts";
import { boxes, delegations, read } from "../support/traces.ts";
import { keepState, runActive, say, sourceProject, specFiles, stateAt } from "./fixtures/source-project.ts";

const midPlan = `# Tasks: user-search

## Phase 1: Make It Work (POC)

- [x] 1.1 Set up
- [ ] 1.2 [P] Index
  - **Files**: src/index.ts
- [x] 1.2.1 [FIX 1.2] Fix: no index
- [ ] 1.2.2 [FIX 1.2] Fix: wrong index
- [x] 1.3 [P] Query
  - **Files**: src/query.ts
- [ ] 1.4 [P] Page
  - **Files**: src/page.ts
- [ ] 1.5 [VERIFY] Quality checkpoint
`;

const foreign = {
  source: "spec",
  name: "user-search",
  basePath: "./specs/user-search",
  commitSpec: true,
  relatedSpecs: [{ name: "user-list", relevance: "high", reason: "the same table", mayNeedUpdate: true }],
  granularity: "fine",
  epicName: null,
  chain: { steps: [{ at: 1, deep: { deeper: [null, { "": 0 }] } }] },
};

const midState = {
  ...foreign,
  phase: "execution",
  awaitingApproval: false,
  taskIndex: 1,
  totalTasks: 7,
  taskIteration: 2,
  maxTaskIterations: 3,
  globalIteration: 9,
  maxGlobalIterations: 40,
  recoveryMode: true,
  maxFixTasksPerOriginal: 2,
  maxFixTaskDepth: 2,
  fixTaskMap: {
    "1.2": { attempts: 2, fixTaskIds: ["1.2.1", "1.2.2"], lastError: "wrong index", firstSeen: "2026-01-28" },
  },
  parallelGroup: { startIndex: 1, endIndex: 5, taskIndices: [1, 4, 5], isParallel: true },
  taskResults: {
    "4": { taskId: "1.3", status: "success", error: null, completedAt: "2026-01-28T22:40:00Z" },
    "1": { taskId: "1.2", status: "failed", error: "wrong index" },
  },
  modificationMap: {
    "1.4": { count: 3, modifications: [{ id: "mod-1", type: "SPLIT_TASK", proposedTasks: ["1.4.1"] }] },
  },
};

const asksForMore = say(
  "TASK_MODIFICATION_REQUEST",
  JSON.stringify({
    type: "ADD_FOLLOWUP",
    originalTaskId: "1.4",
    reasoning: "more",
    proposedTasks: [
      "- [ ] 1.6 More\n  - **Do**: More\n  - **Files**: src/more.ts\n  - **Done when**: It is there\n  - **Verify**: `true`\n  - **Commit**: `feat: more`",
    ],
  }),
  "TASK_COMPLETE",
);

describe.concurrent("a run of the source system that is taken over in its middle", () => {
  it("continues with its limits, its counts and foreign fields", async () => {
    const project = sourceProject({
      name: "user-search",
      plan: midPlan,
      state: midState,
      script: `${keepState}
[ $FIXPOINT_ROLE = verifier ] && echo VERIFICATION_PASS && exit
case $FIXPOINT_KEY in
  1.2\\#*) [ -e mended ] && made || broke 'still wrong';;
  1.4\\#1) ${asksForMore};;
  *) made;;
esac`,
    });
    const first = await runActive(project);
    expect(first).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(
        /^ERROR: Max fix attempts \(2\) reached for task 1\.2\nFix attempts: 1\.2\.1, 1\.2\.2\n/,
      ),
      out: expect.stringContaining("that 1.4 requested: Max modifications (3) reached for task 1.4"),
    });
    expect(first.out).not.toContain("ALL_TASKS_COMPLETE");
    const made = delegations(project);
    expect([...made].sort()).toEqual(["1.2#4", "1.2.2#2", "1.4#1"]);
    expect(stateAt(project, "1.2.2#2")).toEqual({
      ...midState,
      taskIteration: expect.any(Number),
      globalIteration: expect.any(Number),
      parallelGroup: { startIndex: 1, endIndex: 5, taskIndices: [1, 5], isParallel: true },
      // Task 5 may have any status, because its delegation may end earlier or later than this write.
      taskResults: { "1": { status: "failed" }, "5": { status: expect.any(String) } },
    });
    for (const key of made) expect(stateAt(project, key)).toMatchObject(foreign);
    expect(JSON.parse(read(project.state))).toMatchObject({
      ...foreign,
      taskIndex: 1,
      totalTasks: 7,
      globalIteration: 12,
      maxGlobalIterations: 40,
      fixTaskMap: midState.fixTaskMap,
      modificationMap: midState.modificationMap,
      taskResults: { "1": { status: "failed", error: "still wrong" }, "5": { status: "success" } },
    });
    expect(boxes(project).filter((box) => box.includes("[ ]"))).toEqual(["- [ ] 1.2", "- [ ] 1.5"]);

    const script = `touch mended; ${keepState}; [ $FIXPOINT_ROLE = verifier ] && echo VERIFICATION_PASS || made`;
    writeExecutor(project.workspace, script);
    const second = await runActive(project, "--max-fix-tasks", "3");
    expect(second).toMatchObject({ exitCode: 0, err: "" });
    expect(delegations(project).slice(made.length)).toEqual(["1.2#5", "1.5#1"]);
    for (const key of ["1.2#5", "1.5#1"]) {
      expect(stateAt(project, key)).toMatchObject({ ...foreign, maxFixTasksPerOriginal: 3 });
    }
    expect(existsSync(project.state)).toBe(false);
    expect(existsSync(project.progress)).toBe(true);
  });

  it("merges the logs of its batch's members, which are named by index", async () => {
    const plan = "- [x] 1.1 Set up\n- [x] 1.2 [P] Query\n- [ ] 1.3 [P] Index\n- [ ] 1.4 Page\n";
    const state = {
      phase: "execution",
      taskIndex: 1,
      parallelGroup: { startIndex: 1, endIndex: 2, taskIndices: [1, 2], isParallel: true },
    };
    const progress = "# Progress\n\n## Completed Tasks\n- [x] 1.1 Set up - aaa1111\n\n## Learnings\n- Old\n";
    const project = sourceProject({ plan, state, progress, script: "made" });
    const ofQuery = "## Completed Tasks\n- [x] 1.2 Query - bbb2222\n\n## Learnings\n- The query needs an index\n";
    const ofIndex = "## Completed Tasks\n- [x] 1.3 Index - ccc3333\n\n## Learnings\n- Half of the index stands\n";
    writeFileSync(join(project.spec, ".progress-task-2.md"), ofIndex);
    writeFileSync(join(project.spec, ".progress-task-1.md"), ofQuery);
    expect(await runActive(project)).toMatchObject({ exitCode: 0, err: "" });
    // The line of 1.3 has no commit hash, because the claim of its executor was not accepted.
    expect(read(project.progress)).toBe(
      [
        "# Progress\n\n## Completed Tasks\n- [x] 1.1 Set up - aaa1111\n- [x] 1.2 Query - bbb2222\n- [x] 1.3 Index\n- [x] 1.4 Page\n",
        "\n## Learnings\n- Old\n- The query needs an index\n- Half of the index stands\n",
      ].join(""),
    );
    expect(specFiles(project).filter((name) => name.startsWith(".progress-task-"))).toEqual([]);
  });

  it("has only the delegations left that its global limit leaves it", async () => {
    const state = { ...midState, maxGlobalIterations: 10 };
    const project = sourceProject({ plan: "- [ ] 1.1 First\n", state, script: "broke it" });
    expect(await runActive(project, "--max-fix-tasks", "9")).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(/^ERROR: Maximum global iterations \(10\) reached\n/),
    });
    expect(delegations(project)).toHaveLength(2);
    expect(JSON.parse(read(project.state))).toMatchObject({ ...foreign, globalIteration: 11 });
  });

  it("has only the iterations left that its task has not spent, without recovery mode", async () => {
    const state = { phase: "execution", taskIndex: 1, totalTasks: 2, taskIteration: 4, maxTaskIterations: 5 };
    const project = sourceProject({ plan: "- [x] 1.1 First\n- [ ] 1.2 Second\n", state, script: "broke it" });
    expect(await runActive(project)).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(/^ERROR: Max retries reached for task 1\.2 after 5 attempts\nLast error: it\n/),
    });
    expect(delegations(project)).toHaveLength(2);
    expect(JSON.parse(read(project.state))).toMatchObject({ ...state, taskIteration: 5, recoveryMode: false });
  });

  it("takes the position in the plan from its boxes, whatever the file says", async () => {
    const state = { phase: "execution", taskIndex: 7, totalTasks: 3 };
    const project = sourceProject({
      plan: "- [x] 1.1 First\n- [ ] 1.2 Second\n- [x] 1.3 Third\n",
      state,
      script: `${keepState}; made`,
    });
    expect(await runActive(project)).toMatchObject({ exitCode: 0, err: "" });
    expect(delegations(project)).toEqual(["1.2#1"]);
    expect(stateAt(project, "1.2#1")).toMatchObject({ taskIndex: 1, totalTasks: 3 });
  });
});

const defaults = {
  phase: "execution",
  awaitingApproval: false,
  taskIndex: 0,
  totalTasks: 1,
  taskIteration: 1,
  maxTaskIterations: 4,
  globalIteration: expect.any(Number),
  maxGlobalIterations: 100,
  recoveryMode: false,
  maxFixTasksPerOriginal: 3,
  maxFixTaskDepth: 3,
  fixTaskMap: {},
};

describe.concurrent("a state file of the source system", () => {
  it.each<[string, object, object]>([
    ["nothing", {}, {}],
    ["only the fields of its first version", { phase: "execution", taskIndex: 0, totalTasks: 1, taskIteration: 1 }, {}],
    [
      "null for all that a run knows",
      Object.fromEntries([...Object.keys(defaults), "parallelGroup", "modificationMap"].map((key) => [key, null])),
      { parallelGroup: null, modificationMap: null },
    ],
    ["another phase", { phase: "tasks", awaitingApproval: true }, {}],
    [
      "the fields of a later version",
      { schemaVersion: 99, recoveryMode: false, budget: { usd: 5, by: [{ day: 1 }] }, nativeTaskMap: { "0": "t1" } },
      { schemaVersion: 99, budget: { usd: 5, by: [{ day: 1 }] }, nativeTaskMap: { "0": "t1" } },
    ],
  ])("may contain %s, and missing fields are written", async (_what, state, kept) => {
    const project = sourceProject({ plan: "- [ ] 1.1 First\n", state, script: `${keepState}; made` });
    expect(await runActive(project)).toMatchObject({ exitCode: 0, err: "" });
    expect(stateAt(project, "1.1#1")).toEqual({ ...defaults, ...kept });
    expect(existsSync(project.state)).toBe(false);
  });

  it.each([
    ["is not JSON", '{"taskIndex": '],
    ["has words in place of numbers", '{"taskIndex": "one"}'],
    ["is a list", "[]"],
  ])("that %s makes a run refuse before anything is done", async (_what, text) => {
    const project = sourceProject({ plan: "- [ ] 1.1 First\n", script: "made" });
    writeFileSync(project.state, text);
    const { exitCode, out, err } = await runActive(project);
    expect({ exitCode, out, err }).toEqual({
      exitCode: 2,
      out: "",
      err: expect.stringMatching(new RegExp(`^ERROR: State file missing or corrupt at ${project.state}\n`)),
    });
    expect(delegations(project)).toEqual([]);
    expect(read(project.state)).toBe(text);
  });
});
