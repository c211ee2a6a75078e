import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FailureDigest } from "../../src/model/failure.ts";
import { emptyLedger, type SpentByTask, spentOn } from "../../src/model/ledger.ts";
import { Policy, type PolicyInput } from "../../src/model/policy.ts";
import { checkLimit } from "../../src/recover/check-limit.ts";
import type { DecisionContext } from "../../src/recover/decide.ts";
import { decide } from "../../src/recover/decide.ts";
import { prop } from "../support/prop.ts";

const failure: FailureDigest = { kind: "task", error: "x", attemptedFix: "y", status: "z", fingerprint: "0" };
const context = (policy: PolicyInput, spent: SpentByTask, part: Partial<DecisionContext> = {}): DecisionContext => ({
  current: "1.3",
  spent,
  policy: Policy.parse(policy),
  failure,
  ...part,
});
const retried = (retries: number, fixes: string[] = []): SpentByTask => ({
  "1.3": { attempts: retries + 1, retries, fixes },
});
const outOfRetries = { kind: "denied", limit: "maxTaskIterations", task: "1.3", max: 5 };
const outOfFixes = { kind: "denied", limit: "maxFixTasksPerOriginal", task: "1.3", max: 1 };

describe("decide", () => {
  it("retries a failed task until its iterations are spent", () => {
    expect(decide(context({}, retried(0)))).toEqual({ kind: "retry" });
    expect(decide(context({}, retried(3)))).toEqual({ kind: "retry" });
    expect(decide(context({}, retried(4)))).toEqual({ kind: "exhausted", denial: outOfRetries });
  });

  it("makes a fix at the first failure in recovery mode", () => {
    expect(decide(context({ recovery: ["fix"] }, retried(0)))).toEqual({ kind: "fix" });
  });

  it("stops when the fixes are spent, with the limit that said no", () => {
    const policy: PolicyInput = { recovery: ["fix"], maxFixTasksPerOriginal: 1 };
    expect(decide(context(policy, retried(0, ["1.3.1"])))).toEqual({ kind: "exhausted", denial: outOfFixes });
  });

  it("asks the limits of a fix task that failed itself", () => {
    const spent = { ...retried(0, ["1.3.1"]), "1.3.1": { attempts: 1, retries: 0, fixes: [] } };
    const at = { current: "1.3.1" };
    expect(decide(context({ recovery: ["fix"] }, spent, at))).toEqual({ kind: "fix" });
    expect(decide(context({ recovery: ["fix"], maxFixTaskDepth: 1 }, spent, at))).toEqual({
      kind: "exhausted",
      denial: { kind: "denied", limit: "maxFixTaskDepth", task: "1.3.1", max: 1 },
    });
  });

  it("tries the remedies in the order of the policy", () => {
    const policy: PolicyInput = { recovery: ["retry", "fix"], maxTaskIterations: 2, maxFixTasksPerOriginal: 1 };
    expect(decide(context(policy, retried(0)))).toEqual({ kind: "retry" });
    expect(decide(context(policy, retried(1)))).toEqual({ kind: "fix" });
    expect(decide(context(policy, retried(1, ["1.3.1"])))).toEqual({ kind: "exhausted", denial: outOfFixes });
  });

  it("only ever retries a rejected claim, in recovery mode too", () => {
    const rejected = { failure: null };
    expect(decide(context({ recovery: ["fix"] }, retried(3), rejected))).toEqual({ kind: "retry" });
    expect(decide(context({ recovery: ["fix"] }, retried(4), rejected))).toEqual({
      kind: "exhausted",
      denial: outOfRetries,
    });
  });

  it("leaves the limits of the whole run to the admission of a delegation", () => {
    expect(decide(context({ recovery: ["fix"], maxGlobalIterations: 1, maxCost: 0.01 }, retried(0)))).toEqual({
      kind: "fix",
    });
  });
});

const counts = fc.nat({ max: 5 });
const contexts = fc
  .record({
    recovery: fc.constantFrom(
      ["retry"] as const,
      ["fix"] as const,
      ["retry", "fix"] as const,
      ["fix", "retry"] as const,
    ),
    maxTaskIterations: fc.integer({ min: 1, max: 4 }),
    maxFixTasksPerOriginal: fc.nat({ max: 3 }),
    maxFixTaskDepth: fc.nat({ max: 3 }),
    maxFixTasksPerRoot: fc.nat({ max: 5 }),
    retries: counts,
    siblings: counts,
    depth: counts,
    rejected: fc.boolean(),
  })
  .map(({ retries, siblings, depth, rejected, recovery, ...limits }) => {
    const spent: Record<string, { attempts: number; retries: number; fixes: string[] }> = {};
    let current = "1.3";
    for (let level = 0; level < depth; level += 1) {
      spent[current] = { attempts: 1, retries: 0, fixes: [`${current}.1`] };
      current = `${current}.1`;
    }
    const fixes = Array.from({ length: siblings }, (_, index) => `${current}.${index + 1}`);
    spent[current] = { attempts: retries + 1, retries, fixes };
    const policy = { recovery: [...recovery], ...limits };
    return context(policy, spent, { current, ...(rejected && { failure: null }) });
  });

describe("decide, for every policy and every tree", () => {
  prop("I2 it never answers with a fix that a limit denies", [contexts], (given) => {
    if (decide(given).kind !== "fix") return;
    expect(checkLimit({ ...emptyLedger, tasks: given.spent }, given.policy, given.current)).toBeNull();
    expect(given.failure).not.toBeNull();
  });

  prop("I2 it never answers with a retry beyond the iterations of a task", [contexts], (given) => {
    if (decide(given).kind !== "retry") return;
    expect(spentOn(given.spent, given.current).retries + 2).toBeLessThanOrEqual(given.policy.maxTaskIterations);
  });

  prop("I29 it gives up only when every remedy of the policy is denied", [contexts], (given) => {
    const { policy, spent, current } = given;
    if (decide(given).kind !== "exhausted") return;
    const retryDenied = spentOn(spent, current).retries + 1 >= policy.maxTaskIterations;
    const fixDenied = checkLimit({ ...emptyLedger, tasks: spent }, policy, current) !== null;
    const rungs = given.failure === null ? ["retry"] : policy.recovery;
    expect(rungs.every((rung) => (rung === "retry" ? retryDenied : fixDenied))).toBe(true);
  });
});

describe("decide, for every policy", () => {
  const policies = fc.record({
    maxTaskIterations: fc.integer({ min: 1, max: 3 }),
    maxFixTasksPerOriginal: fc.nat({ max: 2 }),
    maxFixTaskDepth: fc.nat({ max: 2 }),
    maxFixTasksPerRoot: fc.nat({ max: 5 }),
  });

  prop("I1 a task that never passes ends within the bound", [policies], (limits) => {
    const policy = Policy.parse({ ...limits, recovery: ["fix"] });
    const {
      maxTaskIterations: most,
      maxFixTasksPerOriginal: wide,
      maxFixTaskDepth: deep,
      maxFixTasksPerRoot: total,
    } = policy;
    const tree = Array.from({ length: deep }, (_, level) => wide ** (level + 1)).reduce((sum, n) => sum + n, 0);
    const fixes = Math.min(total, tree);
    const spent: Record<string, { attempts: number; retries: number; fixes: string[] }> = {};
    let current = "1.3";
    let calls = 0;
    for (;;) {
      calls += 1;
      expect(calls).toBeLessThanOrEqual(2 * fixes + 1 + (most - 1) * (fixes + 1));
      const now = spent[current] ?? { attempts: 0, retries: 0, fixes: [] };
      const rejected = now.retries + 1 < most;
      const decision = decide(
        context(policy, { ...spent, [current]: now }, { current, ...(rejected && { failure: null }) }),
      );
      if (decision.kind === "exhausted") return;
      if (decision.kind === "retry") {
        spent[current] = { ...now, attempts: now.attempts + 1, retries: now.retries + 1 };
        continue;
      }
      const fix = `${current}.${now.fixes.length + 1}`;
      spent[current] = { ...now, attempts: now.attempts + 1, fixes: [...now.fixes, fix] };
      current = fix;
    }
  });
});
