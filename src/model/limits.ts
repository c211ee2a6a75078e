import * as z from "zod";
import type { Escalation } from "./escalation.ts";
import { Policy } from "./policy.ts";
import { escalates, hasLevels } from "./rung.ts";

/** The limits of the whole run. */
export const RunLimits = Policy.pick({ maxGlobalIterations: true, maxRunTime: true, maxCost: true, maxTokens: true });
export type RunLimits = z.infer<typeof RunLimits>;

/** No limits but the default cap on delegations. */
export const noLimits: RunLimits = { maxGlobalIterations: null, maxRunTime: null, maxCost: null, maxTokens: null };

/** The limits of the whole run that a policy sets. */
export const runLimits = ({ maxGlobalIterations, maxRunTime, maxCost, maxTokens }: Policy): RunLimits => ({
  maxGlobalIterations,
  maxRunTime,
  maxCost,
  maxTokens,
});

/** Names of the limits, as they stand in messages and events. */
export const Limit = z.enum([
  "maxTaskIterations",
  "maxFixTasksPerOriginal",
  "maxFixTaskDepth",
  "maxFixTasksPerRoot",
  "repairBudget",
  "maxPivotAttempts",
  "maxResearchAttempts",
  "maxTotalAttempts",
  "maxGlobalIterations",
  "maxRunTime",
  "maxCost",
  "maxTokens",
  "maxTime",
  "maxCycles",
  "maxFixesPerCheck",
  "maxTasksPerThread",
]);
export type Limit = z.infer<typeof Limit>;

/** The limits of a pull request, each with the option that sets it beside `--pull-request`. */
export const shippingFlags = {
  maxTime: "--pr-time",
  maxCycles: "--pr-cycles",
  maxFixesPerCheck: "--pr-fixes",
  maxTasksPerThread: "--pr-thread-tasks",
} as const satisfies Partial<Record<Limit, string>>;
/** Whether a limit is one of the pull request. */
export const isOfPullRequest = (limit: Limit): limit is keyof typeof shippingFlags =>
  Object.hasOwn(shippingFlags, limit);

/** The cap on attempts of one planned task; null where there is none. */
export function totalCap(policy: TotalLimits): number | null {
  if (policy.maxTotalAttempts !== null || !escalates(policy)) return policy.maxTotalAttempts;
  return Math.max(10, policy.maxPivotAttempts + policy.maxResearchAttempts);
}

/**
 * Attempts of one planned task that count for the cap: those at a level where the ladder has one, else those that
 * failed. What comes before the first pivot leaves the levels all of their attempts.
 */
export const totalSpent = (
  policy: Pick<Policy, "recovery">,
  { failures, pivots, researches }: Pick<Escalation, "failures" | "pivots" | "researches">,
): number => (hasLevels(policy) ? pivots + researches : failures);

/** That cap, where it is used up; else null. */
export function reachedTotal(policy: TotalLimits, spent: Parameters<typeof totalSpent>[1]): number | null {
  const cap = totalCap(policy);
  return cap !== null && totalSpent(policy, spent) >= cap ? cap : null;
}

type TotalLimits = Pick<Policy, "maxTotalAttempts" | "recovery" | "maxPivotAttempts" | "maxResearchAttempts">;

/** How long a tool that streams may be silent where `idleTimeout` is not set, in milliseconds. */
export const streamIdleMs = 10 * 60_000;

/** The cap on delegations of a run that began with `open` open tasks. */
export const globalCap = (policy: Pick<Policy, "maxGlobalIterations">, open: number): number =>
  policy.maxGlobalIterations ?? Math.max(100, 2 * open);

/**
 * Rounds of the outer loop for a coordinator that is itself a prompt, from the source system: between 5 and 10,
 * one for every five tasks.
 */
export const outerLoopRounds = (totalTasks: number): number => Math.max(5, Math.min(10, Math.ceil(totalTasks / 5)));

/** A limit that said no, and what it counted. */
export const Denial = z.object({ kind: z.literal("denied"), limit: Limit, task: z.string(), max: z.number() });
export type Denial = z.infer<typeof Denial>;
