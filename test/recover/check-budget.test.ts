import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emptyLedger } from "../../src/model/ledger.ts";
import { Policy } from "../../src/model/policy.ts";
import { checkBudget } from "../../src/recover/check-budget.ts";
import { prop } from "../support/prop.ts";

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
  ])("answers for the policy %j and the ledger %j with %j", (policy, ledger, denial) => {
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

  prop("I2 what is allowed is below every limit", [ledgers, fc.integer({ min: 1, max: 300 })], (spent, max) => {
    const policy = Policy.parse({ maxGlobalIterations: max, maxRunTime: 1000, maxCost: 5 });
    const allowed = checkBudget({ ...emptyLedger, ...spent }, policy) === null;
    expect(allowed).toBe(spent.iterations < max && spent.elapsedMs < 1000 && spent.costUsd < 5);
  });
});
