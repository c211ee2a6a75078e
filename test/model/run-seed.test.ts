import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readPlan } from "../../src/markdown/document/plan-document.ts";
import { describeState, StateFile } from "../../src/model/execution-state.ts";
import { Policy } from "../../src/model/policy.ts";
import { highestSeed, noSeed, type RunSeed, takeOver } from "../../src/model/run-seed.ts";
import { prop } from "../support/prop.ts";

describe("highestSeed", () => {
  it("takes the maximum of each count, and all fix tasks", () => {
    const a: RunSeed = {
      ...noSeed,
      iterations: 4,
      costUsd: 2,
      tasks: { "1.1": { attempts: 3, retries: 1, fixes: ["1.1.1"] } },
      changes: { "1.1": 1 },
    };
    const b: RunSeed = {
      ...noSeed,
      iterations: 2,
      elapsedMs: 50,
      tokens: 9,
      tasks: { "1.1": { attempts: 2, retries: 2, fixes: ["1.1.2"] }, "1.2": { attempts: 1, retries: 0, fixes: [] } },
      changes: { "1.1": 3, "1.2": 1 },
    };
    expect(highestSeed([a, b])).toEqual({
      iterations: 4,
      elapsedMs: 50,
      costUsd: 2,
      tokens: 9,
      tasks: {
        "1.1": { attempts: 3, retries: 2, fixes: ["1.1.1", "1.1.2"] },
        "1.2": { attempts: 1, retries: 0, fixes: [] },
      },
      changes: { "1.1": 3, "1.2": 1 },
    });
  });

  it("is empty without seeds, and does not change its inputs", () => {
    expect(highestSeed([])).toEqual(noSeed);
    const one: RunSeed = { ...noSeed, tasks: { "1.1": { attempts: 1, retries: 0, fixes: ["1.1.1"] } } };
    const before = structuredClone(one);
    highestSeed([one, { ...one, tasks: { "1.1": { attempts: 2, retries: 0, fixes: ["1.1.2"] } } }]);
    expect(one).toEqual(before);
    expect(noSeed).toEqual({ iterations: 0, tasks: {}, changes: {}, elapsedMs: 0, costUsd: 0, tokens: 0 });
  });
});

const plan = readPlan("- [x] 1.2 Done\n- [ ] 1.3 Open\n");

describe("takeOver", () => {
  it("takes limits, counts and fixes from a state file in mid-run", () => {
    const state = StateFile.parse({
      globalIteration: 12,
      maxTaskIterations: 7,
      taskIteration: 3,
      fixTaskMap: { "1.3": { attempts: 2, fixTaskIds: ["1.3.1", "1.3.2"] } },
      modificationMap: { "1.3": { count: 2, modifications: [{ id: "mod-1" }] } },
      parallelGroup: { startIndex: 1 },
      taskResults: { "1": { status: "success" } },
    });
    expect(takeOver(state, plan)).toEqual({
      policy: { maxTaskIterations: 7, maxFixTasksPerOriginal: 3 },
      seed: {
        ...noSeed,
        iterations: 11,
        tasks: { "1.3": { attempts: 3, retries: 1, fixes: ["1.3.1", "1.3.2"] } },
        changes: { "1.3": 2 },
      },
    });
  });

  it("takes the default limit of fix tasks from the source system", () => {
    const given = (maxFixTasksPerOriginal?: number) => StateFile.parse({ maxFixTasksPerOriginal });
    expect(takeOver(given(), plan).policy).toEqual({ maxFixTasksPerOriginal: 3 });
    expect(takeOver(given(0), plan).policy).toEqual({ maxFixTasksPerOriginal: 0 });
  });

  it("counts iterations of a task without fixes", () => {
    expect(takeOver({ taskIteration: 5 }, plan).seed.tasks).toEqual({ "1.3": { attempts: 4, retries: 3, fixes: [] } });
  });

  it("counts no iterations if no task is open", () => {
    expect(takeOver({ taskIteration: 5 }, readPlan("- [x] 1.2 Done\n")).seed.tasks).toEqual({});
    expect(takeOver({ taskIteration: 1 }, plan).seed.tasks).toEqual({});
  });

  it("names fixes that were only counted", () => {
    const state = StateFile.parse({ fixTaskMap: { "1.3": { attempts: 3, fixTaskIds: ["1.3.2"], lastError: null } } });
    expect(takeOver(state, plan).seed.tasks["1.3"]?.fixes).toEqual(["1.3.2", "1.3.1", "1.3.3"]);
  });

  it("ignores null and absent fields", () => {
    const state = StateFile.parse({ recoveryMode: true, fixTaskMap: null, maxGlobalIterations: null });
    expect(takeOver(state, plan)).toEqual({
      policy: { recovery: ["fix"], maxFixTasksPerOriginal: 3 },
      seed: noSeed,
    });
  });
});

describe("takeOver, for every state a run describes", () => {
  const fixes = fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 3 });

  prop("I26: restores spent counts and limits", [fc.nat({ max: 500 }), fixes, fc.boolean()], (iterations, made, on) => {
    const policy = Policy.parse({ recovery: [on ? "fix" : "retry"] });
    const ids = made.map((n) => `1.3.${n}`);
    const spent = { "1.3": { attempts: 1, retries: 0, fixes: ids } };
    const facts = {
      taskIndex: 1,
      totalTasks: 2,
      taskIteration: 1,
      iterations,
      policy,
      awaitingApproval: false,
      maxGlobalIterations: 100,
      spent,
      repaired: ["1.3"],
      parallelGroup: null,
      taskResults: {},
      changes: { "1.3": 2 },
    };
    const found = takeOver(describeState(null, { ...facts, lastError: () => undefined }), plan);
    expect(found.seed.iterations).toBe(iterations);
    expect(found.policy.recovery).toEqual(on ? ["fix"] : undefined);
    expect(found.seed.tasks["1.3"]?.fixes).toEqual(ids);
    expect(found.seed.changes).toEqual({ "1.3": 2 });
  });
});
