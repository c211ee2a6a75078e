import type { PolicyInput } from "../../src/model/policy.ts";
import type { Random } from "../../src/model/random.ts";
import type { Rung } from "../../src/model/rung.ts";
import { checkAll } from "./truths.ts";

const ladders: readonly [Rung[], ...Rung[][]] = [
  ["retry"],
  ["fix"],
  ["retry", "fix"],
  ["fix", "retry"],
  ["repair"],
  ["fix", "repair"],
  ["retry", "fix", "pivot", "research", "checkpoint"],
  ["pivot", "checkpoint"],
  ["retry", "repair", "pivot", "research", "checkpoint"],
  ["retry", "fix", "repair", "pivot", "research", "checkpoint"],
];

export function randomPolicy(random: Random): PolicyInput {
  const few = (from: number, count: number): number => from + random.below(count);
  return {
    recovery: [...random.pick(ladders)],
    maxTaskIterations: few(1, 4),
    maxFixTasksPerOriginal: few(0, 4),
    maxFixTaskDepth: few(0, 4),
    maxFixTasksPerRoot: few(0, 9),
    repairBudget: few(0, 3),
    maxPivotAttempts: few(0, 3),
    maxResearchAttempts: few(0, 3),
    stuckAfterSameErrors: few(1, 3),
    stuckAfterUnchanged: few(1, 5),
    maxParallel: few(1, 4),
    ...(random.chance(0.2) && { maxTotalAttempts: few(1, 10) }),
    ...(random.chance(0.3) && { maxGlobalIterations: few(1, 30) }),
    ...(random.chance(0.1) && { maxRunTime: few(1, 90) * 60_000 }),
    ...(random.chance(0.1) && { maxTokens: few(1, 9) * 1000, maxCost: few(1, 9) }),
    ...(random.chance(0.3) && { idleTimeout: 5 * 60_000 }),
    ...(random.chance(0.05) && { trustExecutor: true }),
    ...(random.chance(0.1) && { requireExecutorTick: true }),
    ...(random.chance(0.3) && { finalVerify: checkAll }),
  };
}
