import { describe, expect, it } from "vitest";
import type { RunRecord } from "../../src/model/record.ts";
import type { Usage } from "../../src/model/reply.ts";
import type { Role } from "../../src/model/role.ts";
import type { Rung } from "../../src/model/rung.ts";
import { apply } from "../../src/run/apply.ts";
import { newRun } from "../../src/run/new-run.ts";
import { answered } from "../support/answered.ts";

const delegated = (key: string, role: Role, rung?: Rung): RunRecord => ({
  ...{ type: "delegated", key, task: "1.1", role, attempt: 1, retries: 0, elapsedMs: 0 },
  ...(rung !== undefined && { rung }),
});
const replied = (key: string, usage?: Usage): RunRecord =>
  answered(`${key}/delegate`, { kind: "replied" }, { reply: { text: "", headBefore: null, usage } });
const reviewed = (usage?: Usage): RunRecord =>
  answered("1.1#1/review", { kind: "accepted" }, { review: { verdict: "pass", code: "", spec: "", round: 1, usage } });
const directed = (usage: Usage): RunRecord => answered("1.1#1/askOperator", { kind: "malformed" }, { usage });

function spentBy(...records: readonly RunRecord[]) {
  const state = newRun();
  for (const record of records) apply(state, record);
  const { costUsd, tokens, costs, unknownUsage } = state;
  return { costUsd, tokens, costs, unknownUsage };
}

describe("what a run has cost", () => {
  it("is told by what delegations were made for", () => {
    const spent = spentBy(
      delegated("1.1#1", "executor"),
      replied("1.1#1", { inputTokens: 100, outputTokens: 20, costUsd: 0.5 }),
      delegated("1.1#2", "executor", "pivot"),
      replied("1.1#2", { inputTokens: 7, outputTokens: 1, costUsd: 2 }),
      delegated("1.1#3", "verifier", "pivot"),
      replied("1.1#3", { inputTokens: 3, outputTokens: 2, costUsd: 0.25 }),
      delegated("1.1#1/askOperator", "operator", "repair"),
      directed({ inputTokens: 10, outputTokens: 5, costUsd: 1 }),
      delegated("1.1#1/review", "reviewer"),
      reviewed({ inputTokens: 40, outputTokens: 2, costUsd: 4 }),
    );
    expect(spent).toEqual({
      costUsd: 7.75,
      tokens: 190,
      costs: {
        first: { delegations: 1, costUsd: 0.5, tokens: 120 },
        pivot: { delegations: 2, costUsd: 2.25, tokens: 13 },
        operator: { delegations: 1, costUsd: 1, tokens: 15 },
        reviewer: { delegations: 1, costUsd: 4, tokens: 42 },
      },
      unknownUsage: { cost: false, tokens: false },
    });
  });

  it("is that of a first attempt where it is not known what it was made for", () => {
    const { costs } = spentBy(replied("1.1#1", { costUsd: 1, outputTokens: 3 }));
    expect(costs).toEqual({ first: { delegations: 0, costUsd: 1, tokens: 3 } });
  });

  it("counts a delegation before it is answered, and nothing for an answer without an executor", () => {
    const { costs, unknownUsage } = spentBy(
      delegated("1.1#1", "executor"),
      answered("1.1#1/verify", { kind: "failed" }),
    );
    expect(costs).toEqual({ first: { delegations: 1, costUsd: 0, tokens: 0 } });
    expect(unknownUsage).toEqual({ cost: false, tokens: false });
  });

  it.each<[Usage | undefined, { cost: boolean; tokens: boolean }]>([
    [undefined, { cost: true, tokens: true }],
    [{ costUsd: 0 }, { cost: false, tokens: true }],
    [{ inputTokens: 0 }, { cost: true, tokens: false }],
    [{ outputTokens: 0 }, { cost: true, tokens: false }],
    [
      { inputTokens: 1, outputTokens: 1, costUsd: 1 },
      { cost: false, tokens: false },
    ],
  ])("is not known as a whole once somebody has not told it: %j", (usage, unknown) => {
    const told = replied("1.1#2", { inputTokens: 1, outputTokens: 1, costUsd: 1 });
    expect(spentBy(replied("1.1#1", usage), told).unknownUsage).toEqual(unknown);
    expect(spentBy(told, reviewed(usage)).unknownUsage).toEqual(unknown);
  });
});
