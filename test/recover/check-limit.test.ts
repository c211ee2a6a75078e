import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { afterNewMinimum, emptyLedger, type SpentByTask } from "../../src/model/ledger.ts";
import { Policy } from "../../src/model/policy.ts";
import { checkBudget, checkLimit, fixesBelow, lineageIn } from "../../src/recover/check-limit.ts";
import { prop } from "../support/prop.ts";

const spent = (fixes: Record<string, string[]>): SpentByTask =>
  Object.fromEntries(Object.entries(fixes).map(([id, made]) => [id, { attempts: 1, retries: 0, fixes: made }]));
const check = (fixes: Record<string, string[]>, task: string, policy = {}, ledger = {}) =>
  checkLimit({ ...emptyLedger, ...ledger, tasks: spent(fixes) }, task, Policy.parse(policy));

describe("checkLimit", () => {
  it("allows the first fix of a task that has spent nothing", () => {
    expect(check({}, "1.3")).toBeNull();
  });

  it("denies more fixes of one task than allowed", () => {
    expect(check({ "1.3": ["1.3.1", "1.3.2", "1.3.3"] }, "1.3")).toBeNull();
    expect(check({ "1.3": ["1.3.1", "1.3.2", "1.3.3", "1.3.4"] }, "1.3")).toEqual({
      kind: "denied",
      limit: "maxFixTasksPerOriginal",
      task: "1.3",
      max: 4,
    });
  });

  it("counts fixes of one task since the last progress of its tree, and all fixes of the whole tree", () => {
    const tasks = afterNewMinimum(spent({ "1.3": ["1.3.1", "1.3.2"] }));
    const limited = (policy: object) => checkLimit({ ...emptyLedger, tasks }, "1.3", Policy.parse(policy))?.limit;
    expect(limited({ maxFixTasksPerOriginal: 1 })).toBeUndefined();
    expect(limited({ maxFixTasksPerOriginal: 0 })).toBe("maxFixTasksPerOriginal");
    expect(limited({ maxFixTasksPerOriginal: 1, maxFixTasksPerRoot: 2 })).toBe("maxFixTasksPerRoot");
  });

  it("denies more generations of fixes than allowed", () => {
    const tree = { "1.3": ["1.3.1"], "1.3.1": ["1.3.1.1"], "1.3.1.1": ["1.3.1.1.1"] };
    expect(check(tree, "1.3.1.1")).toBeNull();
    expect(check(tree, "1.3.1.1.1")).toEqual({
      kind: "denied",
      limit: "maxFixTaskDepth",
      task: "1.3.1.1.1",
      max: 3,
    });
  });

  it("denies more fixes in one tree than allowed, at any place in it", () => {
    const tree = { "1.3": ["1.3.1", "1.3.2"], "1.3.1": ["1.3.1.1", "1.3.1.2"] };
    expect(check(tree, "1.3.2", { maxFixTasksPerRoot: 5 })).toBeNull();
    expect(check(tree, "1.3.2", { maxFixTasksPerRoot: 4 })).toEqual({
      kind: "denied",
      limit: "maxFixTasksPerRoot",
      task: "1.3",
      max: 4,
    });
  });

  it("does not count the fixes of a planned task whose id looks like a fix", () => {
    expect(check({ "1.3": ["1.3.2"], "1.3.1": ["1.3.1.1"] }, "1.3.1", { maxFixTaskDepth: 1 })).toBeNull();
  });

  it("checks the limits in the order original, depth, root, run", () => {
    const tree = { "1.3": ["1.3.1"], "1.3.1": ["1.3.1.1"] };
    const all = { maxFixTasksPerOriginal: 1, maxFixTaskDepth: 1, maxFixTasksPerRoot: 2, maxGlobalIterations: 1 };
    const limitOf = (policy: object) => check(tree, "1.3.1", { ...all, ...policy }, { iterations: 1 })?.limit;
    expect(limitOf({})).toBe("maxFixTasksPerOriginal");
    expect(limitOf({ maxFixTasksPerOriginal: 2 })).toBe("maxFixTaskDepth");
    expect(limitOf({ maxFixTasksPerOriginal: 2, maxFixTaskDepth: 2 })).toBe("maxFixTasksPerRoot");
    expect(limitOf({ maxFixTasksPerOriginal: 2, maxFixTaskDepth: 2, maxFixTasksPerRoot: 3 })).toBe(
      "maxGlobalIterations",
    );
  });

  it("allows no fix if the limit is zero", () => {
    expect(check({}, "1.3", { maxFixTasksPerOriginal: 0 })?.limit).toBe("maxFixTasksPerOriginal");
    expect(check({}, "1.3", { maxFixTaskDepth: 0 })?.limit).toBe("maxFixTaskDepth");
    expect(check({}, "1.3", { maxFixTasksPerRoot: 0 })?.limit).toBe("maxFixTasksPerRoot");
  });
});

describe("fixesBelow", () => {
  it("lists a tree, each fix before its own fixes", () => {
    const tree = spent({ "1.3": ["1.3.1", "1.3.2"], "1.3.1": ["1.3.1.1"], "2.1": ["2.1.1"] });
    expect(fixesBelow(tree, "1.3")).toEqual(["1.3.1", "1.3.1.1", "1.3.2"]);
    expect(fixesBelow(tree, "9.9")).toEqual([]);
  });
});

describe("lineageIn", () => {
  it("follows the recorded parents of fixes, whatever their ids", () => {
    const tree = spent({ "1.12": ["V3.1"], "V3.1": ["V3.1.1"], "1.3": ["1.3.2"] });
    expect(lineageIn(tree, "V3.1.1")).toEqual(["1.12", "V3.1", "V3.1.1"]);
    expect(lineageIn(tree, "1.3.1")).toEqual(["1.3.1"]);
  });
});

describe("a tree with a cycle of fixes", () => {
  const circle = spent({ "1.3": ["1.3.1"], "1.3.1": ["1.3"] });

  it("contains each task once", () => {
    expect(lineageIn(circle, "1.3.1")).toEqual(["1.3", "1.3.1"]);
    expect(fixesBelow(circle, "1.3")).toEqual(["1.3.1"]);
    expect(checkLimit({ ...emptyLedger, tasks: circle }, "1.3", Policy.parse({}))).toBeNull();
  });
});

describe("checkLimit, for every policy and every order of failing tasks", () => {
  const limit = fc.nat({ max: 4 });
  const policies = fc
    .record({ maxFixTasksPerOriginal: limit, maxFixTaskDepth: limit, maxFixTasksPerRoot: fc.nat({ max: 9 }) })
    .map((input) => Policy.parse(input));

  prop(
    "I2 no tree exceeds a limit if each fix was allowed",
    [policies, fc.array(fc.nat(), { maxLength: 40 })],
    (policy, picks) => {
      const tree: Record<string, string[]> = { "1.3": [] };
      for (const pick of picks) {
        const ids = Object.keys(tree);
        const parent = ids[pick % ids.length] ?? "1.3";
        const made = tree[parent] ?? [];
        if (checkLimit({ ...emptyLedger, tasks: spent(tree) }, parent, policy) !== null) continue;
        tree[parent] = [...made, `${parent}.${made.length + 1}`];
        tree[`${parent}.${made.length + 1}`] = [];
      }
      const ids = Object.keys(tree);
      expect(ids.length - 1).toBeLessThanOrEqual(policy.maxFixTasksPerRoot);
      for (const id of ids) {
        expect(tree[id]?.length).toBeLessThanOrEqual(policy.maxFixTasksPerOriginal);
        expect(id.split(".").length - 2).toBeLessThanOrEqual(policy.maxFixTaskDepth);
      }
    },
  );
});

describe("checkBudget", () => {
  it.each([
    [{}, { iterations: 99 }, null],
    [{}, { iterations: 100 }, { limit: "maxGlobalIterations", max: 100 }],
    [{}, { iterations: 119, open: 60 }, null],
    [{}, { iterations: 120, open: 60 }, { limit: "maxGlobalIterations", max: 120 }],
    [{ maxGlobalIterations: 1 }, { iterations: 1, open: 60 }, { limit: "maxGlobalIterations", max: 1 }],
    [{}, { elapsedMs: 1e12, costUsd: 1e6, tokens: 1e12 }, null],
    [{ maxRunTime: 1000 }, { elapsedMs: 999 }, null],
    [{ maxRunTime: 1000 }, { elapsedMs: 1000 }, { limit: "maxRunTime", max: 1000 }],
    [{ maxCost: 2.5 }, { costUsd: 2.5 }, { limit: "maxCost", max: 2.5 }],
    [{ maxTokens: 10 }, { tokens: 11 }, { limit: "maxTokens", max: 10 }],
    [
      { maxTokens: 10, maxRunTime: 1 },
      { tokens: 11, elapsedMs: 1 },
      { limit: "maxRunTime", max: 1 },
    ],
  ])("returns for the policy %j and the ledger %j: %j", (policy, ledger, denial) => {
    const answer = checkBudget({ ...emptyLedger, ...ledger }, Policy.parse(policy));
    expect(answer).toEqual(denial === null ? null : { kind: "denied", task: "", ...denial });
  });
});

describe("checkBudget, for every ledger", () => {
  const ledgers = fc.record({
    iterations: fc.nat({ max: 300 }),
    open: fc.nat({ max: 200 }),
    elapsedMs: fc.nat(),
    costUsd: fc.nat(),
    tokens: fc.nat(),
  });

  prop("I2 an allowed fix is below every limit", [ledgers, fc.integer({ min: 1, max: 300 })], (spent, max) => {
    const policy = Policy.parse({ maxGlobalIterations: max, maxRunTime: 1000, maxCost: 5 });
    const allowed = checkBudget({ ...emptyLedger, ...spent }, policy) === null;
    expect(allowed).toBe(spent.iterations < max && spent.elapsedMs < 1000 && spent.costUsd < 5);
  });
});
