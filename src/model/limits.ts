import * as z from "zod";
import type { Escalation } from "./escalation.ts";
import { option } from "./option.ts";
import { ShippingLimits } from "./pull-request-policy.ts";
import { escalates, hasLevels, type Rung } from "./rung.ts";

const count = z.int().min(0);
const ms = z.int().min(1);

export const mostRacers = 8;

export const TaskLimits = z.strictObject({
  maxTaskIterations: option(
    z.int().min(1).default(4),
    "limit",
    "Attempts at one task since its last progress, without those after a fix, a repair or a pivot",
    {
      group: "Limits",
      flags: "--max-task-iterations <n>",
      unit: "delegations",
      summary: "attempts at one task; those after a fix, a repair or a pivot do not count",
    },
  ),
  maxFixTasksPerOriginal: option(count.default(4), "limit", "Fix tasks of one task since the last progress", {
    group: "Limits",
    flags: "--max-fix-tasks <n>",
    unit: "fix tasks",
    summary: "fix tasks of one task",
  }),
  maxFixTaskDepth: option(count.default(3), "limit", "Generations of fixes below a root task", {
    group: "Limits",
    flags: "--max-fix-depth <n>",
    unit: "generations",
    summary: "generations of fixes of fixes below a planned task",
  }),
  maxFixTasksPerRoot: option(count.default(9), "limit", "Fix tasks in the whole tree of one root task", {
    group: "Limits",
    flags: "--max-fix-total <n>",
    unit: "fix tasks",
    summary: "fix tasks of one planned task and all its fixes",
  }),
  repairBudget: option(count.default(2), "limit", "Directives of a repair operator for one planned task", {
    group: "Limits",
    flags: "--repair-budget <n>",
    unit: "directives",
    summary: "answers of the repair operator that are followed for one planned task",
  }),
  maxPivotAttempts: option(count.default(3), "limit", "Delegations of one planned task with a different approach", {
    group: "Limits",
    flags: "--max-pivot-attempts <n>",
    unit: "delegations",
    summary: "attempts at one planned task with a new approach",
  }),
  maxResearchAttempts: option(count.default(3), "limit", "Delegations of one planned task after research", {
    group: "Limits",
    flags: "--max-research-attempts <n>",
    unit: "delegations",
    summary: "attempts at one planned task after research",
  }),
  race: option(
    z.int().min(2).max(mostRacers).nullable().default(null),
    "gives a right",
    "Parallel attempts at one planned task, in a worktree each; null: no parallel attempts, and no rung `race`",
    {
      group: "Recovery",
      flags: "--race <n>",
      unit: "delegations",
      summary: "the last remedy: this many parallel attempts, each in a worktree; the first proven one wins",
      unset: "off",
      shown: "off",
    },
  ),
  maxTotalAttempts: option(
    z.int().min(1).nullable().default(null),
    "limit",
    "With pivot, research or race: attempts of one planned task on those rungs. Without them: failed attempts of it and its fixes. null: no limit, or with a rung for stuck tasks the sum of maxPivotAttempts, maxResearchAttempts and race, at least 10",
    {
      group: "Limits",
      flags: "--max-total-attempts <n>",
      unit: "attempts",
      summary:
        "attempts at one planned task on the rungs pivot, research and race; without these rungs, failed attempts at it and its fixes",
      unset: "10 or more with --escalation, else off",
      shown: "10 or off",
    },
  ),
});
export type TaskLimits = z.infer<typeof TaskLimits>;

/** Limits for a fix task that is not the remedy of a failed attempt. */
export const RepairLimits = TaskLimits.pick({
  maxFixTasksPerOriginal: true,
  maxFixTaskDepth: true,
  maxFixTasksPerRoot: true,
}).extend({ scope: z.string().nullable() });

/** Limits of the whole run. */
export const RunLimits = z.strictObject({
  maxGlobalIterations: option(
    z.int().min(1).nullable().default(null),
    "limit",
    "Delegations of the whole run; null: 100, or twice the number of tasks open at its start if that is more",
    {
      group: "Limits",
      flags: "--max-global-iterations <n>",
      unit: "delegations",
      summary: "delegations of the whole run",
      unset: "100, or twice the open tasks if that is more",
      shown: "100 or more",
      mayBeOff: false,
    },
  ),
  maxRunTime: option(
    z.int().min(1).nullable().default(null),
    "limit",
    "Working time of the whole run in milliseconds",
    {
      group: "Limits",
      flags: "--max-run-time <duration>",
      basic: true,
      unit: "ms",
      summary: "working time of the whole run",
    },
  ),
  maxCost: option(z.number().positive().nullable().default(null), "limit", "Cost of the whole run in US dollars", {
    group: "Limits",
    flags: "--max-cost <usd>",
    basic: true,
    unit: "US dollars",
    summary: "cost of the whole run, if the executors report it",
  }),
  maxTokens: option(z.int().min(1).nullable().default(null), "limit", "Tokens of the whole run", {
    group: "Limits",
    flags: "--max-tokens <n>",
    unit: "tokens",
    summary: "tokens of the whole run, such as 200k or 2m, if the executors report them",
  }),
});
export type RunLimits = z.infer<typeof RunLimits>;

export const CallLimits = z.strictObject({
  taskTimeout: option(ms.default(30 * 60_000), "limit", "One delegation, in milliseconds", {
    group: "Limits",
    flags: "--task-timeout <duration>",
    unit: "ms",
    summary: "time for one delegation",
  }),
  idleTimeout: option(ms.nullable().default(null), "limit", "Silence of an executor, in milliseconds", {
    group: "Limits",
    flags: "--idle-timeout <duration>",
    unit: "ms",
    summary: "stop an executor that prints nothing for this long",
    unset: "off; 10m for tools that stream",
    shown: "off",
  }),
  maxOutput: option(
    z.int().min(1).nullable().default(null),
    "limit",
    "Output of an executor or Verify command, in bytes",
    {
      group: "Limits",
      flags: "--max-output <size>",
      unit: "bytes",
      summary: "stop an executor or a Verify command that prints more than this, such as 256m or 10g",
    },
  ),
  maxWait: option(
    ms.nullable().default(6 * 60 * 60_000),
    "limit",
    "Longest uninterrupted wait for executors that do not say when they can work again, in milliseconds",
    {
      group: "Limits",
      flags: "--max-wait <duration>",
      unit: "ms",
      summary: "how long to wait for an executor that does not say when it can work again",
    },
  ),
  verifyTimeout: option(ms.default(10 * 60_000), "limit", "One Verify command, in milliseconds", {
    group: "Limits",
    flags: "--verify-timeout <duration>",
    unit: "ms",
    summary: "time for one Verify command",
  }),
});

export const runLimits = ({ maxGlobalIterations, maxRunTime, maxCost, maxTokens }: RunLimits): RunLimits => ({
  maxGlobalIterations,
  maxRunTime,
  maxCost,
  maxTokens,
});

export const noLimits: RunLimits = { maxGlobalIterations: null, maxRunTime: null, maxCost: null, maxTokens: null };

const shipping = ShippingLimits.keyof();

export const Limit = z.enum([...TaskLimits.keyof().options, ...RunLimits.keyof().options, ...shipping.options]);
export type Limit = z.infer<typeof Limit>;

export const isOfPullRequest = (limit: Limit): limit is z.infer<typeof shipping> =>
  Object.hasOwn(ShippingLimits.shape, limit);
type TotalLimits = Pick<TaskLimits, "maxTotalAttempts" | "maxPivotAttempts" | "maxResearchAttempts" | "race"> & Ladder;
interface Ladder {
  readonly recovery: readonly Rung[];
}

/** Maximum number of attempts at a planned task; null for no maximum. */
export function totalCap(policy: TotalLimits): number | null {
  if (policy.maxTotalAttempts !== null || !escalates(policy)) return policy.maxTotalAttempts;
  return Math.max(10, policy.maxPivotAttempts + policy.maxResearchAttempts + (policy.race ?? 0));
}

/** Attempts that `totalCap` limits: attempts at stuck levels if the ladder has levels, otherwise failed attempts. */
export const totalSpent = (
  policy: Ladder,
  { failures, pivots, researches, races }: Pick<Escalation, "failures" | "pivots" | "researches" | "races">,
): number => (hasLevels(policy) ? pivots + researches + races : failures);

export function reachedTotal(policy: TotalLimits, spent: Parameters<typeof totalSpent>[1]): number | null {
  const cap = totalCap(policy);
  return cap !== null && totalSpent(policy, spent) >= cap ? cap : null;
}

/** Default of `idleTimeout` for a tool that streams its output, in milliseconds. */
export const streamIdleMs = 10 * 60_000;

/** Maximum number of delegations of a run that began with `open` open tasks. */
export const globalCap = (policy: Pick<RunLimits, "maxGlobalIterations">, open: number): number =>
  policy.maxGlobalIterations ?? Math.max(100, 2 * open);

/**
 * Number of rounds of the outer loop for a coordinator that is a prompt, as in the source system: one round for five
 * tasks, at least 5 and at most 10.
 */
export const outerLoopRounds = (totalTasks: number): number => Math.max(5, Math.min(10, Math.ceil(totalTasks / 5)));

/** A limit `max` on `task` denied the next step. */
export const Denial = z.object({ kind: z.literal("denied"), limit: Limit, task: z.string(), max: z.number() });
export type Denial = z.infer<typeof Denial>;

/** Maximum number of reviews of a task. After the last review, the task is accepted even if the review has findings. */
export const maxReviews = 3;
