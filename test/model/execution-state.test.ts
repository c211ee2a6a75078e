import { describe, expect, it } from "vitest";
import { describeState, ExecutionState, type StateFacts, StateFile } from "../../src/model/execution-state.ts";
import { Policy } from "../../src/model/policy.ts";

describe("ExecutionState", () => {
  it("accepts the source's own file and fills in missing fields", () => {
    const state = {
      phase: "execution",
      taskIndex: 3,
      totalTasks: 12,
      taskIteration: 1,
      maxTaskIterations: 5,
      recoveryMode: true,
      maxFixTasksPerOriginal: 3,
      fixTaskMap: { "1.3": { attempts: 1, fixTaskIds: ["1.3.1"], lastError: "File not found: src/parser.ts" } },
    };
    expect(ExecutionState.parse(state)).toEqual({
      ...state,
      awaitingApproval: false,
      globalIteration: 1,
      maxGlobalIterations: 100,
      maxFixTaskDepth: 3,
    });
  });

  it("keeps unknown fields", () => {
    expect(ExecutionState.parse({ basePath: "./specs/x", relatedSpecs: [{ name: "y" }] })).toMatchObject({
      basePath: "./specs/x",
      relatedSpecs: [{ name: "y" }],
    });
  });

  it.each([
    { taskIndex: "3" },
    { taskIndex: -1 },
    { totalTasks: 1.5 },
    { maxTaskIterations: 0 },
    { recoveryMode: "true" },
    { fixTaskMap: [] },
    { fixTaskMap: { "1.3": { attempts: "1" } } },
  ])("refuses %j", (state) => {
    expect(ExecutionState.safeParse(state).success).toBe(false);
  });
});

const facts = (part: Partial<StateFacts> = {}): StateFacts => ({
  awaitingApproval: false,
  taskIndex: 2,
  totalTasks: 10,
  taskIteration: 1,
  iterations: 4,
  policy: Policy.parse({ recovery: ["fix"] }),
  maxGlobalIterations: 100,
  spent: {
    "1.3": { attempts: 2, retries: 0, fixes: ["1.3.1"] },
    "1.3.1": { attempts: 1, retries: 0, fixes: [] },
  },
  repaired: ["1.3"],
  parallelGroup: null,
  taskResults: {},
  changes: {},
  lastError: (task) => (task === "1.3" ? "File not found: src/parser.ts" : undefined),
  ...part,
});

describe("describeState", () => {
  it("describes the facts of a run in the source's words", () => {
    expect(describeState(null, facts())).toEqual({
      phase: "execution",
      awaitingApproval: false,
      taskIndex: 2,
      totalTasks: 10,
      taskIteration: 1,
      maxTaskIterations: 4,
      globalIteration: 5,
      maxGlobalIterations: 100,
      recoveryMode: true,
      maxFixTasksPerOriginal: 4,
      maxFixTaskDepth: 3,
      fixTaskMap: {
        "1.3": { attempts: 1, fixTaskIds: ["1.3.1"], lastError: "File not found: src/parser.ts" },
      },
    });
  });

  it("keeps unknown fields, and an error without a newer one", () => {
    const before = StateFile.parse({
      granularity: "fine",
      fixTaskMap: { "1.3": { attempts: 0, fixTaskIds: [], lastError: "old", note: "kept" } },
    });
    expect(describeState(before, facts({ lastError: () => undefined }))).toMatchObject({
      granularity: "fine",
      fixTaskMap: { "1.3": { attempts: 1, fixTaskIds: ["1.3.1"], lastError: "old", note: "kept" } },
    });
  });

  it("lists each task with its fixes, also one that shares a fix with another", () => {
    const fixes = ["1.3.1"];
    const before = StateFile.parse({ fixTaskMap: { "1.2": {}, "1.4": { fixTaskIds: fixes } } });
    const spent = { "1.3": { attempts: 1, retries: 0, fixes }, "1.4": { attempts: 1, retries: 0, fixes } };
    expect(describeState(before, facts({ spent, repaired: ["1.3", "1.3"] })).fixTaskMap).toEqual({
      "1.3": expect.objectContaining({ attempts: 1, fixTaskIds: fixes }),
      "1.4": { attempts: 1, fixTaskIds: fixes, lastError: "" },
    });
  });

  it("states what the run does, whatever phase the file had", () => {
    const before = StateFile.parse({ phase: "tasks", awaitingApproval: true });
    expect(describeState(before, facts())).toMatchObject({ phase: "execution", awaitingApproval: false });
    const asking = describeState(null, facts({ awaitingApproval: true }));
    expect(asking).toMatchObject({ phase: "execution", awaitingApproval: true });
  });

  it("describes a batch and its progress, and removes the entries of an ended one", () => {
    const group = {
      parallelGroup: { startIndex: 2, endIndex: 4, taskIndices: [2, 4], isParallel: true },
      taskResults: { 2: { status: "success" }, 4: { status: "failed", error: "it" } } as const,
    };
    expect(describeState(null, facts(group))).toMatchObject(group);
    const before = StateFile.parse({
      ...group,
      taskResults: { "2": { status: "failed" }, "9": { status: "success" } },
    });
    expect(describeState(before, facts(group)).taskResults).toEqual(group.taskResults);
    expect(describeState(before, facts())).toMatchObject({ parallelGroup: null, taskResults: {} });
    expect(describeState(StateFile.parse({ taskResults: null }), facts()).taskResults).toEqual({});
    const none = describeState(null, facts());
    expect([none.parallelGroup, none.taskResults]).toEqual([undefined, undefined]);
  });

  it("has its own fields in a fixed order, before foreign ones, whoever wrote the file", () => {
    const others = StateFile.parse({ mine: 1, taskIndex: 3, awaitingApproval: true, phase: "execution" });
    const own = Object.keys(describeState(null, facts()));
    expect(Object.keys(describeState(others, facts()))).toEqual([...own, "mine"]);
  });

  it("counts changes of the plan, and keeps foreign values about them", () => {
    const before = StateFile.parse({ modificationMap: { "1.1": { count: 1 }, "1.3": { count: 1, note: "kept" } } });
    expect(describeState(before, facts({ changes: { "1.3": 2 } })).modificationMap).toEqual({
      "1.1": { count: 1 },
      "1.3": { count: 2, note: "kept" },
    });
  });

  it.each([
    ["no file before", null],
    ["a file without fixes", StateFile.parse({})],
    ["a file with fixes of another task", StateFile.parse({ fixTaskMap: { "9.9": { attempts: 0, fixTaskIds: [] } } })],
  ])("leaves an unknown error empty, over %s", (_, before) => {
    const { fixTaskMap, modificationMap } = describeState(
      before,
      facts({ lastError: () => undefined, changes: { "1.3": 1 } }),
    );
    expect(fixTaskMap["1.3"]?.lastError).toBe("");
    expect(modificationMap).toEqual({ "1.3": { count: 1 } });
  });
});
