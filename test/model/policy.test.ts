import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { globalCap, outerLoopRounds, runLimits, totalCap, totalSpent } from "../../src/model/limits.ts";
import { needsConsent, optionFacts } from "../../src/model/option.ts";
import { Policy, type PolicyInput, policyOver, readPolicy } from "../../src/model/policy.ts";
import { actingLimits, allowsMore, defaultLimits } from "../../src/model/raised-limits.ts";
import { escalates, escalationRungs, Rung } from "../../src/model/rung.ts";
import { toJsonSchema } from "../../src/model/to-json-schema.ts";
import { prop } from "../support/prop.ts";

describe("policyOver", () => {
  it("keeps settings that are not given, also single settings of a pull request", () => {
    const before: PolicyInput = { maxFixTaskDepth: 1, pullRequest: { draft: true, ready: true } };
    expect(policyOver(before, { maxRunTime: undefined, pullRequest: { ready: false } })).toEqual({
      ...{ maxFixTaskDepth: 1, pullRequest: { draft: true, ready: false } },
    });
    expect(policyOver(before, { maxFixTaskDepth: 2 })).toEqual({ ...before, maxFixTaskDepth: 2 });
    expect(policyOver({}, {})).toEqual({});
  });

  it.each<[PolicyInput, PolicyInput, string]>([
    [{}, {}, "ask"],
    [{}, { unattended: true }, "ignore"],
    [{}, { unattended: true, knownFailures: "ask" }, "ask"],
    [{ knownFailures: "repair" }, { unattended: true }, "repair"],
    [{ unattended: true }, {}, "ignore"],
    [{ unattended: true }, { unattended: true }, "ignore"],
    [{ unattended: true }, { unattended: false }, "ask"],
    [{ unattended: true, knownFailures: "repair" }, { unattended: false }, "repair"],
  ])(
    "has, after %j and then %j, known failures set to %s: no one can be asked unattended",
    (before, given, expected) => {
      const recorded = readPolicy(before);
      expect(readPolicy(policyOver(recorded, given)).knownFailures).toBe(expected);
    },
  );
});

describe("Policy", () => {
  it("has a default for everything", () => {
    expect(Policy.parse({})).toEqual({
      permissions: "tool",
      fresh: "pivot",
      worktrees: false,
      worktreeSetup: null,
      worktreeLink: null,
      optional: false,
      verify: null,
      checkEvery: "task",
      passEnv: null,
      recovery: ["retry"],
      maxTaskIterations: 4,
      maxFixTasksPerOriginal: 4,
      maxFixTaskDepth: 3,
      maxFixTasksPerRoot: 9,
      repairBudget: 2,
      maxPivotAttempts: 3,
      maxResearchAttempts: 3,
      maxTotalAttempts: null,
      race: null,
      stuckAfterSameErrors: 4,
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
      verifyBefore: true,
      knownFailures: "ask",
      guard: "reject",
      requireProof: false,
      unattended: false,
      recheck: true,
      rules: "evidence",
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
  ])("with the limit %s and %i open tasks is %i", (maxGlobalIterations, open, cap) => {
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
  ])("for %i tasks is %i", (tasks, rounds) => {
    expect(outerLoopRounds(tasks)).toBe(rounds);
  });
});

describe("globalCap, for every plan", () => {
  prop("I29 it allows two delegations for each open task", [fc.nat({ max: 10_000 })], (open) => {
    expect(globalCap({ maxGlobalIterations: null }, open)).toBeGreaterThanOrEqual(2 * open);
  });
});

describe("runLimits", () => {
  it("are the limits of a policy on the whole run", () => {
    const limits = { maxGlobalIterations: 7, maxRunTime: 60_000, maxCost: 1.5, maxTokens: null };
    expect(runLimits(Policy.parse(limits))).toEqual(limits);
  });
});

describe("readPolicy", () => {
  it("fills in missing and undefined fields", () => {
    const policy = readPolicy({ maxTaskIterations: undefined, maxFixTaskDepth: 1 });
    expect(policy).toEqual({ ...Policy.parse({}), maxFixTaskDepth: 1 });
    expect(readPolicy()).toEqual(Policy.parse({}));
    expect(readPolicy({ bogus: undefined } as never)).toEqual(Policy.parse({}));
  });

  it("has the source's defaults with the source's rules", () => {
    expect(readPolicy({ rules: "source" })).toMatchObject({ rules: "source", maxTaskIterations: 5 });
    expect(readPolicy({ rules: "source", maxTaskIterations: 3 }).maxTaskIterations).toBe(3);
    expect(readPolicy({ rules: "evidence" }).maxTaskIterations).toBe(4);
  });

  it("returns a policy that it has completed unchanged", () => {
    const policy = readPolicy({});
    expect(readPolicy(policy)).toBe(policy);
  });

  it("changes the ladder of the given policy", () => {
    const policy = readPolicy({ recovery: ["retry", "repair"] }, { recoveryMode: true, repair: false });
    expect([policy.recovery, readPolicy(policy, { escalation: true }).recovery]).toEqual([
      ["retry", "fix"],
      ["retry", "fix", "pivot", "research", "checkpoint"],
    ]);
  });

  it.each([null, 5, "x", ["x"]])("refuses %j, which is not a policy", (given) => {
    expect(() => readPolicy(given as never)).toThrow(expect.objectContaining({ code: "policy-invalid" }));
  });

  it("names the field of each error", () => {
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
  ])("suggests keys similar to those of %j", (given, hint) => {
    expect(() => readPolicy(given as PolicyInput)).toThrow(expect.objectContaining({ hint }));
  });
});

const accepts = (recovery: readonly string[]): boolean => Policy.safeParse({ recovery }).success;

describe("a ladder", () => {
  it.each([
    [["retry"]],
    [["repair", "fix", "retry"]],
    [["retry", "fix", "repair", "pivot", "research", "checkpoint"]],
    [["pivot"]],
    [["research"]],
    [["checkpoint"]],
    [["fix", "pivot", "checkpoint"]],
  ])("may be %j", (recovery) => {
    expect(accepts(recovery)).toBe(true);
  });

  it.each([
    [[]],
    [["retry", "retry"]],
    [["pivot", "pivot"]],
    [["pivot", "retry"]],
    [["checkpoint", "fix"]],
    [["research", "pivot"]],
    [["checkpoint", "research"]],
    [["retry", "checkpoint", "pivot"]],
    [["skip"]],
  ])("may not be %j", (recovery) => {
    expect(accepts(recovery)).toBe(false);
  });
});

describe("a race", () => {
  const ladderOf = (given: PolicyInput): readonly [readonly Rung[], number | null] => {
    const { recovery, race } = readPolicy(given);
    return [recovery, race];
  };

  it("is a rung of the ladder, before the checkpoint", () => {
    expect(ladderOf({ race: 2 })).toEqual([["retry", "race"], 2]);
    expect(ladderOf({ recovery: ["fix", "pivot", "checkpoint"], race: 4 })[0]).toEqual([
      "fix",
      "pivot",
      "race",
      "checkpoint",
    ]);
    expect(ladderOf({ recovery: ["retry", "race"] })).toEqual([["retry", "race"], 3]);
  });

  it("is removed with its number", () => {
    expect(ladderOf({ recovery: ["fix", "race"], race: null })).toEqual([["fix"], null]);
    expect(ladderOf({ recovery: ["race"], race: null })).toEqual([["retry"], null]);
  });

  it("stays if pivot and research are removed", () => {
    const { recovery } = readPolicy({ race: 2, recovery: ["retry", "pivot", "checkpoint"] }, { escalation: false });
    expect(recovery).toEqual(["retry", "race"]);
  });
});

describe("a ladder, for every sequence of rungs", () => {
  const height = (rung: Rung): number => (escalationRungs as readonly Rung[]).indexOf(rung);

  prop(
    "is valid exactly if the rungs for stuck tasks are last and in order, and each rung occurs once",
    [fc.array(fc.constantFrom(...Rung.options), { maxLength: 8 })],
    (recovery) => {
      const heights = recovery.map(height);
      const rises = heights.every((at, index) => index === 0 || at >= (heights[index - 1] as number));
      const once = new Set(recovery).size === recovery.length;
      expect(accepts(recovery)).toBe(recovery.length > 0 && rises && once);
    },
  );

  it("has 255 valid forms", () => {
    const ladders = (chosen: readonly Rung[]): number =>
      Rung.options
        .filter((rung) => !chosen.includes(rung))
        .reduce((count, rung) => count + ladders([...chosen, rung]), accepts(chosen) ? 1 : 0);
    // 16 ordered selections of three remedies, times 16 selections of the rungs above, minus the empty ladder.
    expect(ladders([])).toBe(16 * 16 - 1);
  });
});

describe("totalCap", () => {
  it("is the attempts of the levels, at least 10, if the ladder has a rung for stuck tasks, unless it is given", () => {
    expect(totalCap(Policy.parse({}))).toBeNull();
    expect(totalCap(Policy.parse({ recovery: ["retry", "repair"] }))).toBeNull();
    for (const rung of escalationRungs) {
      expect(escalates({ recovery: [rung] })).toBe(true);
      expect(totalCap(Policy.parse({ recovery: ["retry", rung] }))).toBe(10);
      const many = { recovery: ["retry" as const, rung], maxPivotAttempts: 6, maxResearchAttempts: 5 };
      expect(totalCap(Policy.parse(many))).toBe(11);
    }
    expect(totalCap(Policy.parse({ maxTotalAttempts: 3 }))).toBe(3);
    expect(totalCap(Policy.parse({ recovery: ["pivot"], maxTotalAttempts: 12 }))).toBe(12);
  });

  it("counts attempts at levels if the ladder has one, otherwise failed attempts", () => {
    const spent = { failures: 9, pivots: 3, researches: 2, races: 3 };
    const counted = (...recovery: Rung[]): number => totalSpent({ recovery }, spent);
    expect([counted("fix", "pivot", "checkpoint"), counted("retry", "race")]).toEqual([8, 8]);
    expect([counted("fix"), counted("retry", "checkpoint")]).toEqual([9, 9]);
  });
});

it("actingLimits are the limits in effect, and defaultLimits those without settings", () => {
  const policy = readPolicy({ maxParallel: 9, idleTimeout: 5, recovery: ["retry", "checkpoint"] });
  expect(actingLimits(policy, 60)).toMatchObject({ maxParallel: 9, idleTimeout: 5, maxGlobalIterations: 120 });
  expect(defaultLimits(policy, 60)).toMatchObject({ maxParallel: 5, idleTimeout: 600_000, maxTotalAttempts: 10 });
  expect(defaultLimits(readPolicy(), 1)).toMatchObject({ maxGlobalIterations: 100, maxTotalAttempts: null });
});

it("allowsMore treats the absence of a limit as more than any limit", () => {
  expect([
    allowsMore(null, 5),
    allowsMore(5, null),
    allowsMore(null, null),
    allowsMore(6, 5),
    allowsMore(5, 5),
  ]).toEqual([true, false, false, true, false]);
});

it("all options need consent, also those without a kind, except limits and those that only look", () => {
  const kinds = ["limit", "runs something", "weakens a check", "gives a right", "looks only"] as const;
  const needy = kinds.filter((kind) => needsConsent(z.string().register(optionFacts, { kind })));
  expect(needy).toEqual(["runs something", "weakens a check", "gives a right"]);
  expect([needsConsent(undefined), needsConsent(z.string())]).toEqual([true, true]);
});

describe("toJsonSchema", () => {
  it("describes a policy as a person writes it: every field is optional, and none is unknown", () => {
    expect(toJsonSchema("policy")).toMatchObject({
      type: "object",
      additionalProperties: false,
      properties: { maxFixTasksPerOriginal: { type: "integer", minimum: 0, default: 4 } },
    });
    expect(toJsonSchema("policy")).not.toHaveProperty("required");
  });

  it("describes a state file, which may have more fields", () => {
    expect(toJsonSchema("state")).toMatchObject({
      properties: { taskIndex: { type: "integer", default: 0 }, fixTaskMap: { type: "object" } },
    });
    expect(toJsonSchema("state")).not.toHaveProperty("additionalProperties", false);
  });
});
