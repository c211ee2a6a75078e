import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Approach, type Escalation, type Level, noEscalation } from "../../src/model/escalation.ts";
import type { FailureDigest } from "../../src/model/failure.ts";
import { emptyLedger, repairsLeft, type SpentByTask, spentOn } from "../../src/model/ledger.ts";
import { Policy, type PolicyInput } from "../../src/model/policy.ts";
import { type EscalationRung, escalationRungs, isLevelRung, type Rung } from "../../src/model/rung.ts";
import { checkLimit } from "../../src/recover/check-limit.ts";
import { type DecisionContext, decide, deliberate } from "../../src/recover/decide.ts";
import { prop } from "../support/prop.ts";
import { measuredFailure, nameOf, setOf } from "../support/sample-failure.ts";

const failure: FailureDigest = { kind: "task", error: "x", attemptedFix: "y", status: "z", fingerprint: "0" };
const context = (policy: PolicyInput, spent: SpentByTask, part: Partial<DecisionContext> = {}): DecisionContext => ({
  root: "1.3",
  current: "1.3",
  spent,
  policy: Policy.parse(policy),
  failure,
  rejection: null,
  escalation: noEscalation,
  remedy: null,
  ...part,
});
const retried = (retries: number, fixes: string[] = []): SpentByTask => ({
  "1.3": { attempts: retries + 1, retries, fixes },
});
const outOfRetries = { kind: "denied", limit: "maxTaskIterations", task: "1.3", max: 4 };
const outOfFixes = { kind: "denied", limit: "maxFixTasksPerOriginal", task: "1.3", max: 1 };

describe("decide", () => {
  it("treats a task with no other remedies as never stuck", () => {
    const { escalation: _escalation, remedy: _remedy, ...input } = context({ recovery: ["fix"] }, retried(0));
    expect(decide(input)).toEqual({ kind: "fix" });
    expect(decide({ ...input, escalation: { ...noEscalation, asked: true }, failure: null })).toEqual({ kind: "gate" });
  });

  it("retries a failed task until its iterations are spent", () => {
    expect(decide(context({}, retried(0)))).toEqual({ kind: "retry" });
    expect(decide(context({}, retried(2)))).toEqual({ kind: "retry" });
    expect(decide(context({}, retried(3)))).toEqual({ kind: "exhausted", denial: outOfRetries });
  });

  it("writes a fix at the first failure in recovery mode", () => {
    expect(decide(context({ recovery: ["fix"] }, retried(0)))).toEqual({ kind: "fix" });
  });

  it("writes no fix if neither a check nor the executor states the failure: it retries once, then takes the next rung", () => {
    const silent = { failure: { ...failure, unreported: true } };
    const again = { ...silent, remedy: "retry" as const };
    const kindOn = (recovery: Rung[], part: Partial<DecisionContext>, spent = retried(0)) =>
      decide(context({ recovery }, spent, part)).kind;
    expect(kindOn(["fix"], silent)).toBe("retry");
    expect(kindOn(["fix"], again, retried(1))).toBe("gate");
    expect(kindOn(["fix", "repair"], again, retried(1))).toBe("repair");
    expect(kindOn(["retry", "fix", "pivot"], again, retried(1))).toBe("pivot");
    expect(kindOn(["fix", "retry"], again, retried(1))).toBe("gate");
    expect(kindOn(["retry", "fix"], { ...again, afterWork: true }, retried(1))).toBe("retry");
    expect(kindOn(["retry"], again, retried(2))).toBe("retry");
    expect(kindOn(["retry"], again, retried(3))).toBe("exhausted");
    expect(kindOn(["fix", "repair"], silent, retried(3))).toBe("repair");
    expect(kindOn(["repair"], { ...silent, current: "1.3~1" }, {})).toBe("retry");
  });

  it("writes a generic fix for an unstated failure in the source's mode, and only retries a rejected claim", () => {
    const policy: PolicyInput = { recovery: ["fix"], rules: "source" };
    expect(decide(context(policy, retried(0), { failure: { ...failure, unreported: true } }))).toEqual({ kind: "fix" });
    const rejection = { layer: "contradiction" as const, reason: "x", times: 3 };
    expect(decide(context(policy, retried(2), { failure: null, rejection }))).toEqual({ kind: "retry" });
    expect(decide(context(policy, retried(3), { failure: null, rejection }))).toMatchObject({ kind: "exhausted" });
  });

  it("writes no fix for a prompt that was too long", () => {
    const tooLong = {
      failure: { ...failure, kind: "context-exhausted" as const, unreported: true },
      remedy: "retry",
    } as const;
    expect(decide(context({ recovery: ["fix"] }, retried(0), tooLong))).toEqual({ kind: "retry" });
    expect(decide(context({ recovery: ["fix"] }, retried(3), tooLong))).toEqual({
      kind: "exhausted",
      denial: outOfRetries,
    });
    const recovery: Rung[] = ["fix", "repair", "pivot"];
    expect(decide(context({ recovery }, retried(3), tooLong))).toEqual({ kind: "repair" });
    const climbed = { ...tooLong, escalation: { ...noEscalation, level: "pivot" as const } };
    expect(decide(context({ recovery }, retried(0), climbed))).toEqual({ kind: "pivot" });
  });

  it("stops when the fixes are spent, with the limit that denied", () => {
    const policy: PolicyInput = { recovery: ["fix"], maxFixTasksPerOriginal: 1 };
    expect(decide(context(policy, retried(0, ["1.3.1"])))).toEqual({ kind: "exhausted", denial: outOfFixes });
  });

  it("checks the limits of a fix task that failed itself", () => {
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

  it("retries a rejected claim once, in recovery mode too", () => {
    const rejected = { failure: null };
    expect(decide(context({ recovery: ["fix"] }, retried(2), rejected))).toEqual({ kind: "retry" });
    expect(decide(context({ recovery: ["fix"] }, retried(3), rejected))).toEqual({
      kind: "exhausted",
      denial: outOfRetries,
    });
  });

  it("ignores the limits of the whole run, which are checked at a delegation", () => {
    expect(decide(context({ recovery: ["fix"], maxGlobalIterations: 1, maxCost: 0.01 }, retried(0)))).toEqual({
      kind: "fix",
    });
  });
});

const tight = (recovery: Rung[], part: PolicyInput = {}): PolicyInput => ({
  recovery,
  maxTaskIterations: 2,
  maxFixTasksPerOriginal: 1,
  repairBudget: 1,
  maxPivotAttempts: 1,
  maxResearchAttempts: 1,
  stuckAfterSameErrors: 3,
  ...part,
});
const whole: Rung[] = ["retry", "fix", "repair", "pivot", "research", "checkpoint"];
const climbs: Rung[] = ["pivot", "research", "checkpoint"];
const spentOnce: SpentByTask = { "1.3": { attempts: 2, retries: 1, fixes: ["1.3.1"], repairs: 1 } };
const at = (level: Level, part: Partial<Escalation> = {}) => ({ escalation: { ...noEscalation, level, ...part } });
const stuck: Partial<Escalation> = { sameErrors: 3 };
const kindOf = (...given: Parameters<typeof context>) => decide(context(...given)).kind;

describe("decide, rung by rung", () => {
  it.each<[Rung, SpentByTask, SpentByTask]>([
    ["retry", retried(0), retried(1)],
    ["fix", retried(0), retried(0, ["1.3.1"])],
    ["repair", retried(0), { "1.3": { attempts: 1, retries: 0, fixes: [], repairs: 1 } }],
  ])("chooses %s while its budget allows it, and then the next rung", (rung, below, spent) => {
    expect(kindOf(tight([rung, "checkpoint"]), below)).toBe(rung);
    expect(kindOf(tight([rung, "checkpoint"]), spent)).toBe("checkpoint");
  });

  it.each<[EscalationRung, Partial<Escalation>]>([
    ["pivot", { pivots: 1 }],
    ["research", { researches: 1 }],
  ])("chooses %s while its budget allows it, and then the next rung", (rung, spent) => {
    expect(kindOf(tight([rung, "checkpoint"]), {}, at("normal"))).toBe(rung);
    expect(kindOf(tight([rung, "checkpoint"]), {}, at("normal", spent))).toBe("checkpoint");
    expect(kindOf(tight([rung, "checkpoint"]), {}, at(rung, spent))).toBe("checkpoint");
  });

  it("climbs the whole ladder in its order", () => {
    expect(kindOf(tight(whole), {})).toBe("retry");
    expect(kindOf(tight(whole), retried(1))).toBe("fix");
    expect(kindOf(tight(whole), retried(1, ["1.3.1"]))).toBe("repair");
    expect(kindOf(tight(whole), spentOnce)).toBe("pivot");
    expect(kindOf(tight(whole), spentOnce, at("pivot", { pivots: 1 }))).toBe("research");
    expect(kindOf(tight(whole), spentOnce, at("research", { pivots: 1, researches: 1 }))).toBe("checkpoint");
    expect(kindOf(tight(whole), spentOnce, at("checkpoint", { pivots: 1, researches: 1 }))).toBe("checkpoint");
  });

  it("asks a person at the end of a ladder with a repair operator, and gives up without one", () => {
    expect(kindOf(tight(["repair"]), spentOnce)).toBe("gate");
    expect(kindOf(tight(["retry", "repair"]), spentOnce)).toBe("gate");
    expect(kindOf(tight(["repair"]), spentOnce, { failure: null })).toBe("exhausted");
    expect(kindOf(tight(["retry", "fix"]), spentOnce)).toBe("exhausted");
  });

  it("writes no fix task for a part, which is not in the plan", () => {
    expect(kindOf(tight(["fix", "repair"]), {}, { current: "1.3~1" })).toBe("repair");
    expect(kindOf(tight(["fix", "retry"]), {}, { current: "1.3~1" })).toBe("retry");
    expect(kindOf(tight(["fix"]), {}, { current: "1.3~1" })).toBe("retry");
    const spent = { "1.3~1": { attempts: 2, retries: 1, fixes: [] } };
    expect(decide(context(tight(["fix"]), spent, { current: "1.3~1" }))).toEqual({
      kind: "exhausted",
      denial: { kind: "denied", limit: "maxTaskIterations", task: "1.3~1", max: 2 },
    });
  });
});

describe("decide for a stuck task", () => {
  it("skips rungs below those for stuck tasks", () => {
    expect(kindOf(tight(whole), {}, at("normal", { sameErrors: 2 }))).toBe("retry");
    expect(kindOf(tight(whole), {}, at("normal", stuck))).toBe("pivot");
    expect(kindOf(tight(["retry", "checkpoint"]), {}, at("normal", stuck))).toBe("checkpoint");
  });

  it("ignores signs of being stuck if no rung is for it", () => {
    expect(deliberate(context(tight(["retry", "fix"]), {}, at("normal", stuck)))).toMatchObject({
      decision: { kind: "retry" },
      stuck: null,
    });
  });

  it("does not go down, stuck or not", () => {
    expect(kindOf(tight(whole, { maxPivotAttempts: 2 }), {}, at("pivot", { pivots: 1 }))).toBe("pivot");
    expect(kindOf(tight(whole), {}, at("research", { pivots: 0, researches: 0 }))).toBe("research");
    expect(kindOf(tight(whole), {}, at("checkpoint"))).toBe("checkpoint");
  });

  it("uses remaining lower rungs rather than give up", () => {
    const policy = tight(["retry", "pivot"]);
    expect(kindOf(policy, {}, at("normal", { ...stuck, pivots: 1 }))).toBe("retry");
    expect(kindOf(policy, retried(1), at("normal", { ...stuck, pivots: 1 }))).toBe("exhausted");
  });

  it("follows the current ladder if it was changed at a level", () => {
    expect(kindOf(tight(["retry", "pivot"]), {}, at("research"))).toBe("retry");
    expect(kindOf(tight(["retry"]), {}, at("pivot", { pivots: 9 }))).toBe("retry");
    expect(kindOf(tight(["retry", "checkpoint"]), {}, at("pivot", { pivots: 9 }))).toBe("checkpoint");
    expect(kindOf(tight(["pivot", "research"]), {}, at("pivot", { pivots: 9 }))).toBe("research");
    expect(kindOf(tight(["retry", "fix"]), retried(1), at("checkpoint"))).toBe("fix");
  });

  it("stops at the cap on failed attempts, at any level", () => {
    const ladder = tight(["retry", "checkpoint"]);
    expect(kindOf(ladder, {}, at("normal", { failures: 9 }))).toBe("retry");
    expect(kindOf(ladder, {}, at("normal", { failures: 10 }))).toBe("checkpoint");
    expect(kindOf(tight(["retry"]), {}, at("normal", { failures: 10 }))).toBe("retry");
    expect(kindOf(tight(["retry"], { maxTotalAttempts: 3 }), {}, at("normal", { failures: 3 }))).toBe("exhausted");
  });

  it("counts only attempts at levels against the cap if the ladder has one, and stops only those", () => {
    const limits = { maxPivotAttempts: 3, maxResearchAttempts: 3 };
    const policy = tight(whole, { ...limits, maxTotalAttempts: 4 });
    expect(kindOf(policy, {}, at("normal", { failures: 99 }))).toBe("retry");
    expect(kindOf(policy, {}, at("pivot", { failures: 99, pivots: 2 }))).toBe("pivot");
    expect(kindOf(policy, {}, at("pivot", { pivots: 3 }))).toBe("research");
    expect(kindOf(policy, {}, at("research", { pivots: 3, researches: 1 }))).toBe("checkpoint");
    expect(kindOf(policy, {}, at("normal", { pivots: 3, researches: 1 }))).toBe("retry");
    expect(kindOf(policy, {}, at("normal", { ...stuck, pivots: 3, researches: 1 }))).toBe("checkpoint");
    const whatever = at("research", { failures: 99, pivots: 3, researches: 2 });
    expect(kindOf(tight(whole, limits), {}, whatever)).toBe("research");
  });

  it("names the cap if it leaves no remedy", () => {
    const denial = { kind: "denied", limit: "maxTotalAttempts", task: "1.3", max: 2 };
    const policy = tight(["retry", "pivot"], { maxTotalAttempts: 2, maxPivotAttempts: 3 });
    const given = { ...at("pivot", { pivots: 2 }), current: "1.3.1" };
    expect(decide(context(policy, {}, given))).toEqual({ kind: "exhausted", denial });
    const spent = { kind: "denied", limit: "maxPivotAttempts", task: "1.3", max: 2 };
    const both = tight(["retry", "pivot"], { maxTotalAttempts: 2, maxPivotAttempts: 2 });
    expect(decide(context(both, {}, given))).toEqual({ kind: "exhausted", denial: spent });
  });
});

describe("decide after progress", () => {
  const before = { iterations: 4, fixes: 3 };

  it("counts iterations and fixes of a task since its tree last made progress", () => {
    const policy: PolicyInput = { recovery: ["retry", "fix"], maxTaskIterations: 2, maxFixTasksPerOriginal: 2 };
    const spent = (retries: number, ...fixes: string[]): SpentByTask => ({
      "1.3": { attempts: 9, retries, fixes: ["1.3.1", "1.3.2", "1.3.3", ...fixes], beforeProgress: before },
    });
    expect(kindOf(policy, spent(4))).toBe("retry");
    expect(kindOf(policy, spent(5))).toBe("fix");
    expect(kindOf(policy, spent(5, "1.3.4"))).toBe("fix");
    expect(kindOf(policy, spent(5, "1.3.4", "1.3.5"))).toBe("exhausted");
    expect(deliberate(context(policy, spent(5, "1.3.4"))).considered).toMatchObject([
      { rung: "retry", spent: 2, max: 2, passedOver: "spent" },
      { rung: "fix", spent: 1, max: 2, passedOver: null },
    ]);
  });

  it("is not stuck after a new minimum, whatever other signs there are", () => {
    const measured: Partial<Escalation> = { ...stuck, best: { vitest: 1 }, failing: setOf("a"), change: "progress" };
    expect(kindOf(tight(whole), {}, at("normal", { ...measured, sinceBest: 0 }))).toBe("retry");
    expect(kindOf(tight(whole), {}, at("normal", { ...measured, sinceBest: 3 }))).toBe("pivot");
  });
});

describe("decide for a failed fix", () => {
  const made = { failing: setOf("a", "b"), first: nameOf("a"), fingerprint: "0" };
  const tree = (...beside: string[]): SpentByTask => ({
    "1.3": { attempts: 1, retries: 0, fixes: ["1.3.1", ...beside] },
    "1.3.1": { attempts: 1, retries: 0, fixes: [], madeFor: made },
  });
  const policy = (part: PolicyInput = {}): PolicyInput => ({ recovery: ["fix"], maxFixTasksPerOriginal: 2, ...part });
  const failedWith = (...ids: string[]) => ({ current: "1.3.1", failure: measuredFailure(ids) });

  it("counts a superseding fix among the fixes of its parent", () => {
    const given = failedWith("a", "b");
    expect(deliberate(context(policy({ maxFixTaskDepth: 1 }), tree(), given))).toMatchObject({
      decision: { kind: "fix" },
      considered: [{ rung: "fix", task: "1.3", spent: 1, max: 2 }],
    });
    expect(decide(context(policy(), tree("1.3.2"), given))).toEqual({
      kind: "exhausted",
      denial: { kind: "denied", limit: "maxFixTasksPerOriginal", task: "1.3", max: 2 },
    });
  });

  it("counts a fix for new failures among the fix's own", () => {
    const given = failedWith("c");
    expect(deliberate(context(policy(), tree("1.3.2"), given))).toMatchObject({
      decision: { kind: "fix" },
      considered: [{ rung: "fix", task: "1.3.1", spent: 0, max: 2 }],
    });
    expect(decide(context(policy({ maxFixTaskDepth: 1 }), tree(), given))).toMatchObject({
      denial: { limit: "maxFixTaskDepth", task: "1.3.1" },
    });
  });
});

describe("decide for a rejected claim", () => {
  const rejected = { failure: null };

  it("retries it whatever the ladder says, and then climbs", () => {
    expect(kindOf(tight(["fix", "repair", "pivot"]), retried(0), rejected)).toBe("retry");
    expect(kindOf(tight(["fix", "repair", "pivot"]), retried(1), rejected)).toBe("pivot");
    expect(kindOf(tight(["fix", "repair"]), retried(1), rejected)).toBe("exhausted");
  });

  it("takes the next rung other than a fix for a second rejection in a row, and asks a person if there is none", () => {
    const second = { failure: null, rejection: { layer: "signal" as const, reason: "no word", times: 2 } };
    const first = { ...second, rejection: { ...second.rejection, times: 1 } };
    expect(kindOf(tight(["fix", "repair"]), retried(0), first)).toBe("retry");
    expect(kindOf(tight(["fix", "repair"]), retried(0), second)).toBe("repair");
    expect(kindOf(tight(["fix", "pivot", "checkpoint"]), retried(0), second)).toBe("pivot");
    expect(kindOf(tight(["retry", "checkpoint"]), retried(0), second)).toBe("checkpoint");
    expect(kindOf(tight(["fix"]), retried(0), second)).toBe("gate");
    expect(kindOf(tight(["fix", "retry"]), retried(0), second)).toBe("gate");
    expect(kindOf(tight(["retry"]), retried(0), second)).toBe("retry");
    expect(kindOf(tight(["retry"]), retried(1), second)).toBe("exhausted");
  });

  it("is not stuck by it, but limited by the cap", () => {
    const given = { ...rejected, ...at("normal", { ...stuck, failures: 9 }) };
    expect(deliberate(context(tight(whole), {}, given))).toMatchObject({ decision: { kind: "retry" }, stuck: null });
    expect(kindOf(tight(["retry", "checkpoint"]), {}, { ...rejected, ...at("normal", { failures: 10 }) })).toBe(
      "checkpoint",
    );
  });

  it("stays at the level of the task", () => {
    expect(kindOf(tight(whole), {}, { ...rejected, ...at("pivot") })).toBe("pivot");
    expect(kindOf(tight(whole), {}, { ...rejected, ...at("pivot", { pivots: 1 }) })).toBe("research");
  });
});

describe("decide for the same error after the same remedy", () => {
  const approach = (strategy: string | null): Approach => ({ level: "normal", task: "1.3", strategy, error: "e" });
  const again = (part: Partial<Escalation> = {}) =>
    at("normal", { sameErrors: 2, sinceCalm: 2, approaches: [approach("refs"), approach("Refs")], ...part });
  const policy = tight(["retry", "fix"], { maxTaskIterations: 5 });

  it("takes the next remedy if executor and ladder would both repeat themselves", () => {
    expect(kindOf(policy, {}, { remedy: "retry", ...again() })).toBe("fix");
    expect(kindOf(policy, {}, { remedy: "retry", ...again({ sameErrors: 1 }) })).toBe("retry");
    expect(kindOf(policy, {}, { remedy: "fix", ...again() })).toBe("retry");
    expect(kindOf(policy, {}, { remedy: null, ...again() })).toBe("retry");
    expect(kindOf(policy, {}, { remedy: "retry", ...again({ approaches: [approach("refs"), approach(null)] }) })).toBe(
      "retry",
    );
  });

  it("leaves rejected claims and levels to their own budgets", () => {
    const climbing = tight(["retry", "pivot", "checkpoint"], { maxTaskIterations: 5, maxPivotAttempts: 2 });
    expect(kindOf(climbing, {}, { remedy: "retry", failure: null, ...again() })).toBe("retry");
    expect(kindOf(climbing, {}, { remedy: "pivot", ...again({ level: "pivot", pivots: 1 }) })).toBe("pivot");
  });

  it("repeats the remedy before it gives up", () => {
    const given = { remedy: "retry" as const, ...again() };
    expect(kindOf(tight(["retry"], { maxTaskIterations: 5 }), {}, given)).toBe("retry");
    expect(kindOf(policy, retried(0, ["1.3.1"]), given)).toBe("retry");
    expect(kindOf(policy, retried(4, ["1.3.1"]), given)).toBe("exhausted");
  });

  it("reports the reason", () => {
    expect(deliberate(context(policy, {}, { remedy: "retry", ...again() })).considered).toEqual([
      { rung: "retry", limit: "maxTaskIterations", task: "1.3", spent: 1, max: 5, passedOver: "repeated" },
      { rung: "fix", limit: "maxFixTasksPerOriginal", task: "1.3", spent: 0, max: 1, passedOver: null },
    ]);
  });
});

describe("deliberate", () => {
  it("lists every considered rung with its counts", () => {
    const given = { ...at("normal", { pivots: 1, researches: 0, sameErrors: 3 }) };
    expect(deliberate(context(tight(whole), { "1.3": { attempts: 1, retries: 0, fixes: ["1.3.1"] } }, given))).toEqual({
      decision: { kind: "research" },
      stuck: "same-error",
      considered: [
        { rung: "retry", limit: "maxTaskIterations", task: "1.3", spent: 1, max: 2, passedOver: "stuck" },
        { rung: "fix", limit: "maxFixTasksPerOriginal", task: "1.3", spent: 1, max: 1, passedOver: "spent" },
        { rung: "repair", limit: "repairBudget", task: "1.3", spent: 0, max: 1, passedOver: "stuck" },
        { rung: "pivot", limit: "maxPivotAttempts", task: "1.3", spent: 1, max: 1, passedOver: "spent" },
        { rung: "research", limit: "maxResearchAttempts", task: "1.3", spent: 0, max: 1, passedOver: null },
      ],
    });
  });

  it("lists a checkpoint without a limit, and the cap before it", () => {
    const policy = tight(climbs, { maxPivotAttempts: 2, maxTotalAttempts: 1 });
    expect(deliberate(context(policy, {}, at("pivot", { pivots: 1 }))).considered).toEqual([
      { rung: "pivot", limit: "maxPivotAttempts", task: "1.3", spent: 1, max: 2, passedOver: "total" },
      { rung: "research", limit: "maxResearchAttempts", task: "1.3", spent: 0, max: 1, passedOver: "total" },
      { rung: "checkpoint", limit: null, task: "1.3", spent: 0, max: null, passedOver: null },
    ]);
  });

  it("names the limit that a fix task reached, and the task it counts for", () => {
    const spent = { "1.3": { attempts: 1, retries: 0, fixes: ["1.3.1"] } };
    const policy = { ...tight(["fix"]), maxFixTasksPerOriginal: 3, maxFixTasksPerRoot: 1 };
    expect(deliberate(context(policy, spent, { current: "1.3.1" })).considered).toEqual([
      { rung: "fix", limit: "maxFixTasksPerRoot", task: "1.3", spent: 1, max: 1, passedOver: "spent" },
    ]);
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
  prop("I2 it never returns a fix that a limit denies", [contexts], (given) => {
    if (decide(given).kind !== "fix") return;
    expect(checkLimit({ ...emptyLedger, tasks: given.spent }, given.current, given.policy)).toBeNull();
    expect(given.failure).not.toBeNull();
  });

  prop("I2 it never returns a retry beyond the iterations of a task", [contexts], (given) => {
    if (decide(given).kind !== "retry") return;
    expect(spentOn(given.spent, given.current).retries + 2).toBeLessThanOrEqual(given.policy.maxTaskIterations);
  });

  prop("I29 it gives up only if every remedy of the policy is denied", [contexts], (given) => {
    const { policy, spent, current } = given;
    if (decide(given).kind !== "exhausted") return;
    const retryDenied = spentOn(spent, current).retries + 1 >= policy.maxTaskIterations;
    const fixDenied = checkLimit({ ...emptyLedger, tasks: spent }, current, policy) !== null;
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

const ladders = fc
  .record({
    below: fc.shuffledSubarray<Rung>(["retry", "fix", "repair"]),
    above: fc.subarray<Rung>([...escalationRungs]),
  })
  .map(({ below, above }) => [...below, ...above])
  .filter(({ length }) => length > 0);
const hasLevel = ({ recovery }: Policy): boolean => recovery.some((rung) => isLevelRung(rung));
const few = fc.nat({ max: 3 });
const stuckContexts = fc
  .record({
    recovery: ladders,
    limits: fc.record({
      maxTaskIterations: fc.integer({ min: 1, max: 3 }),
      maxFixTasksPerOriginal: few,
      repairBudget: few,
      maxPivotAttempts: few,
      maxResearchAttempts: few,
      race: fc.integer({ min: 2, max: 4 }),
      maxTotalAttempts: fc.option(fc.integer({ min: 1, max: 6 })),
    }),
    retries: few,
    fixes: few,
    repairs: few,
    escalation: fc.record({
      level: fc.constantFrom("normal", "pivot", "research", "race", "checkpoint"),
      pivots: few,
      researches: few,
      races: few,
      failures: fc.nat({ max: 6 }),
      sameErrors: fc.nat({ max: 4 }),
      unchanged: fc.nat({ max: 6 }),
    }),
    current: fc.constantFrom("1.3", "1.3.1", "1.3~1"),
    remedy: fc.option(fc.constantFrom<Rung>("retry", "fix", "repair")),
    named: fc.boolean(),
    rejected: fc.boolean(),
  })
  .map(({ recovery, limits, retries, fixes, repairs, escalation, named, rejected, ...part }): DecisionContext => {
    const approaches = named ? [1, 2].map(() => ({ level: "normal", task: "1.3", strategy: "refs", error: "e" })) : [];
    const made = Array.from({ length: fixes }, (_, index) => `${part.current}.${index + 1}`);
    const spent = { [part.current]: { attempts: retries + 1, retries, fixes: made, repairs } };
    const policy = { recovery, ...limits };
    return context(policy, spent, {
      ...part,
      escalation: { ...noEscalation, ...escalation, approaches } as Escalation,
      ...(rejected && { failure: null }),
    });
  });

const levels: readonly string[] = ["normal", ...escalationRungs];

describe("decide, for every ladder and every level", () => {
  prop("its decision is on the ladder, or a retry", [stuckContexts], (given) => {
    const { decision, considered } = deliberate(given);
    expect(considered.length).toBeGreaterThan(0);
    if (decision.kind === "exhausted" || decision.kind === "gate") return;
    expect(["retry", ...given.policy.recovery]).toContain(decision.kind);
  });

  prop("a level never goes down as long as the ladder has one", [stuckContexts], (given) => {
    const { level } = given.escalation;
    const height = levels.indexOf(level);
    if (level === "normal" || !given.policy.recovery.some((rung) => levels.indexOf(rung) >= height)) return;
    const { kind } = decide(given);
    if (kind === "exhausted" || kind === "gate") return;
    expect(levels.indexOf(kind)).toBeGreaterThanOrEqual(height);
  });

  prop("no rung exceeds its own budget or the cap on failed attempts", [stuckContexts], (given) => {
    const { policy, escalation, current, spent } = given;
    const cap = policy.maxTotalAttempts ?? 10;
    const { kind } = decide(given);
    if (kind === "pivot") expect(escalation.pivots).toBeLessThan(policy.maxPivotAttempts);
    if (kind === "research") expect(escalation.researches).toBeLessThan(policy.maxResearchAttempts);
    if (kind === "repair") expect(repairsLeft(spent, policy.repairBudget)).toBeGreaterThan(0);
    if (kind === "retry") expect(spentOn(spent, current).retries + 1).toBeLessThan(policy.maxTaskIterations);
    const isLevel = ["pivot", "research"].includes(kind);
    if (isLevel) expect(escalation.pivots + escalation.researches).toBeLessThan(cap);
    else if (!hasLevel(policy) && kind !== "checkpoint" && kind !== "exhausted" && kind !== "gate")
      expect(escalation.failures).toBeLessThan(cap);
  });

  prop("a rejected claim is retried or climbs, and is never repaired", [stuckContexts], (given) => {
    expect(["retry", ...escalationRungs, "exhausted"]).toContain(decide({ ...given, failure: null }).kind);
  });

  prop("a denial names a checked limit, and its count", [stuckContexts], (given) => {
    const { decision, considered } = deliberate(given);
    if (decision.kind !== "exhausted") return;
    const { limit, max, task } = decision.denial;
    if (limit === "maxTotalAttempts") {
      const { failures, pivots, researches, races } = given.escalation;
      expect(hasLevel(given.policy) ? pivots + researches + races : failures).toBeGreaterThanOrEqual(max);
      expect(task).toBe(given.root);
    } else {
      const { spent, ...last } = considered.at(-1) as (typeof considered)[number];
      expect(last).toMatchObject({ limit, max, task, passedOver: "spent" });
      expect(spent).toBeGreaterThanOrEqual(max);
    }
  });

  prop("considered rungs are spent exactly if they have reached their limit", [stuckContexts], (given) => {
    const { decision, considered } = deliberate(given);
    for (const { passedOver, spent, max } of considered) {
      expect(passedOver === "spent").toBe(max !== null && spent >= max);
    }
    const chosen = considered.filter(({ passedOver }) => passedOver === null);
    expect(chosen.length).toBeLessThanOrEqual(1);
    if (chosen.length === 1) expect(considered.at(-1)).toMatchObject({ rung: decision.kind, passedOver: null });
  });
});

describe("decide at a new start", () => {
  const asked = { failure: null, escalation: { ...noEscalation, failures: 2, asked: true } };

  it("asks a person again who has not answered", () => {
    const deliberation = deliberate(context({ recovery: ["repair"] }, retried(0), asked));
    expect(deliberation).toEqual({ decision: { kind: "gate" }, stuck: null, considered: [] });
    expect(kindOf({ recovery: ["repair", "checkpoint"] }, retried(0), asked)).toBe("gate");
    const changed = { ...asked, escalation: { ...asked.escalation, level: "checkpoint" as const } };
    expect(kindOf({ recovery: ["repair"] }, retried(0), changed)).toBe("gate");
  });

  it("continues after a failure, whoever was asked, and stays at a checkpoint", () => {
    expect(decide(context({ recovery: ["repair"] }, retried(0), { ...asked, failure }))).toEqual({ kind: "repair" });
    const escalation = { ...asked.escalation, level: "checkpoint" } as const;
    const stuck = context({ recovery: ["pivot", "checkpoint"] }, retried(0), { failure: null, escalation });
    expect(decide(stuck)).toEqual({ kind: "checkpoint" });
  });
});
