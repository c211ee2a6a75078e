import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { globalCap, outerLoopRounds, runLimits } from "../../src/model/limits.ts";
import { Policy, type PolicyInput, policyOver, readPolicy } from "../../src/model/policy.ts";
import { prop } from "../support/prop.ts";

describe("policyOver", () => {
  it("keeps what is not said, and each part of a pull request by itself", () => {
    const before: PolicyInput = { maxFixTaskDepth: 1, pullRequest: { draft: true, ready: true } };
    expect(policyOver(before, { maxRunTime: undefined, pullRequest: { ready: false } })).toEqual({
      ...{ maxFixTaskDepth: 1, pullRequest: { draft: true, ready: false } },
    });
    expect(policyOver(before, { maxFixTaskDepth: 2 })).toEqual({ ...before, maxFixTaskDepth: 2 });
    expect(policyOver({}, {})).toEqual({});
  });
});

describe("Policy", () => {
  it("has a default for everything", () => {
    expect(Policy.parse({})).toEqual({
      permissions: "tool",
      recovery: ["retry"],
      maxTaskIterations: 5,
      maxFixTasksPerOriginal: 4,
      maxFixTaskDepth: 3,
      maxFixTasksPerRoot: 9,
      repairBudget: 2,
      maxPivotAttempts: 3,
      maxResearchAttempts: 3,
      maxTotalAttempts: null,
      stuckAfterSameErrors: 5,
      stuckAfterUnchanged: 5,
      maxEvidence: 8000,
      stuckReport: null,
      maxGlobalIterations: null,
      maxRunTime: null,
      maxCost: null,
      maxTokens: null,
      maxOutput: null,
      taskTimeout: 1_800_000,
      idleTimeout: null,
      maxWait: 21_600_000,
      verifyTimeout: 600_000,
      trustExecutor: false,
      requireExecutorTick: false,
      requireCommit: false,
      commit: false,
      finalVerify: null,
      maxParallel: 5,
      scope: null,
    });
  });

  it.each([
    { maxFixTask: 3 },
    { recovery: [] },
    { recovery: ["pray"] },
    { maxTaskIterations: 0 },
    { maxFixTasksPerOriginal: -1 },
    { maxFixTaskDepth: 1.5 },
    { maxGlobalIterations: "100" },
    { maxCost: 0 },
    { maxEvidence: 999 },
    { scope: "" },
  ])("refuses %j", (input) => {
    expect(Policy.safeParse(input).success).toBe(false);
  });
});

describe("globalCap", () => {
  it.each([
    [null, 0, 100],
    [null, 50, 100],
    [null, 51, 102],
    [7, 51, 7],
  ])("is for the limit %s and %i open tasks %i", (maxGlobalIterations, open, cap) => {
    expect(globalCap({ maxGlobalIterations }, open)).toBe(cap);
  });
});

describe("outerLoopRounds", () => {
  it.each([
    [0, 5],
    [25, 5],
    [26, 6],
    [50, 10],
    [5000, 10],
  ])("is for %i tasks %i", (tasks, rounds) => {
    expect(outerLoopRounds(tasks)).toBe(rounds);
  });
});

describe("globalCap, for every plan", () => {
  prop("I29 it leaves two delegations for each task that is open", [fc.nat({ max: 10_000 })], (open) => {
    expect(globalCap({ maxGlobalIterations: null }, open)).toBeGreaterThanOrEqual(2 * open);
  });
});

describe("runLimits", () => {
  it("are those of a policy that the whole run is held to", () => {
    const limits = { maxGlobalIterations: 7, maxRunTime: 60_000, maxCost: 1.5, maxTokens: null };
    expect(runLimits(Policy.parse(limits))).toEqual(limits);
  });
});

describe("readPolicy", () => {
  it("fills in what was not given, undefined fields included", () => {
    const policy = readPolicy({ maxTaskIterations: undefined, maxFixTaskDepth: 1 });
    expect(policy).toEqual({ ...Policy.parse({}), maxFixTaskDepth: 1 });
    expect(readPolicy()).toEqual(Policy.parse({}));
    expect(readPolicy({ bogus: undefined } as never)).toEqual(Policy.parse({}));
  });

  it("takes a policy that it has completed as it is", () => {
    const policy = readPolicy({});
    expect(readPolicy(policy)).toBe(policy);
  });

  it.each([null, 5, "x", ["x"]])("refuses %j, which is no policy", (given) => {
    expect(() => readPolicy(given as never)).toThrow(expect.objectContaining({ code: "policy-invalid" }));
  });

  it("says of each misfit where it stands", () => {
    const given = { maxTaskIterations: 0, bogus: 1 } as never;
    expect(() => readPolicy(given)).toThrow(
      expect.objectContaining({
        code: "policy-invalid",
        message: expect.stringMatching(/maxTaskIterations: Too small[^;]*; Unrecognized key: "bogus"$/),
        hint: expect.stringContaining("docs/limits.md"),
      }),
    );
  });

  it.each([
    [{ maxfix: 1 }, "Did you mean maxFixTasksPerOriginal, maxFixTaskDepth, maxFixTasksPerRoot?"],
    [{ taskTimout: 1 }, "Did you mean taskTimeout?"],
    [{ frobnicate: 1 }, "docs/limits.md lists what each limit takes"],
    [{ maxParallel: 0 }, "docs/limits.md lists what each limit takes"],
  ])("names the keys that are near %j", (given, hint) => {
    expect(() => readPolicy(given as PolicyInput)).toThrow(expect.objectContaining({ hint }));
  });
});
