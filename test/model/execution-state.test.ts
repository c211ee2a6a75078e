import { describe, expect, it } from "vitest";
import { ExecutionState } from "../../src/model/execution-state.ts";

describe("ExecutionState", () => {
  it("takes the source's own file and fills what it does not say", () => {
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

  it("keeps fields it does not know", () => {
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
