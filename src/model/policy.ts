import { z } from "zod";
import { InputError } from "./errors.ts";

/** A remedy for a failed attempt: delegate the task again, or write a fix task first. */
export const Rung = z.enum(["retry", "fix"]);
export type Rung = z.infer<typeof Rung>;

const count = z.int().min(0);
const ms = z.int().min(1);

/**
 * Every limit and choice of a run and its default, in one place. Counts are delegations or fix tasks; durations
 * are milliseconds; null means no limit.
 *
 * @see docs/limits.md
 */
export const Policy = z.strictObject({
  /** Remedies in the order in which they are tried. */
  recovery: z.array(Rung).min(1).default(["retry"]).describe("Remedies for a failed attempt, tried in this order"),
  maxTaskIterations: z.int().min(1).default(5).describe("Delegations of one task that were plain or rejected"),
  maxFixTasksPerOriginal: count.default(3).describe("Fix tasks of one task, fix tasks included"),
  maxFixTaskDepth: count.default(3).describe("Generations of fixes below a root task"),
  maxFixTasksPerRoot: count.default(9).describe("Fix tasks in the whole tree of one root task"),
  maxGlobalIterations: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe("Delegations of the whole run; null: 100, or twice the tasks open at the start if that is more"),
  maxRunTime: ms.nullable().default(null).describe("Working time of the whole run in milliseconds"),
  maxCost: z.number().positive().nullable().default(null).describe("Cost of the whole run in US dollars"),
  maxTokens: z.int().min(1).nullable().default(null).describe("Tokens of the whole run, input and output"),
  taskTimeout: ms.default(30 * 60_000).describe("One delegation, in milliseconds"),
  idleTimeout: ms.nullable().default(null).describe("Silence of an executor, in milliseconds"),
  verifyTimeout: ms.default(10 * 60_000).describe("One Verify command, in milliseconds"),
  trustExecutor: z.boolean().default(false).describe("Do not run Verify commands"),
  requireExecutorTick: z.boolean().default(false).describe("Reject a completion whose executor did not tick its box"),
  requireCommit: z
    .boolean()
    .default(false)
    .describe("Reject a completion that leaves tasks.md or .progress.md uncommitted"),
  commit: z.boolean().default(false).describe("Commit tasks.md and .progress.md after each accepted task"),
  finalVerify: z.string().min(1).nullable().default(null).describe("Command that must pass before the run is complete"),
  maxParallel: z.int().min(1).default(5).describe("[P] tasks worked on at once"),
  scope: z.string().min(1).nullable().default(null).describe("Scope in the commit message of fix tasks"),
});
export type Policy = z.infer<typeof Policy>;
/** A policy as a person writes it: any part of it. */
export type PolicyInput = z.input<typeof Policy>;

/** Policies that were completed here: machines hand theirs on to those they invoke. */
const whole = new WeakSet<object>();

/**
 * A whole policy from what was given of it. A field that is undefined was not given.
 *
 * @throws {InputError} `policy-invalid`
 */
export function completePolicy(given: PolicyInput = {}): Policy {
  if (whole.has(given)) return given as Policy;
  const parsed = Policy.safeParse(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)));
  if (parsed.success) {
    whole.add(parsed.data);
    return parsed.data;
  }
  const misfits = parsed.error.issues.map(({ path, message }) => [...path, message].join(": "));
  throw new InputError(`Cannot use the policy, expected every limit to fit: ${misfits.join("; ")}`, {
    code: "policy-invalid",
    hint: "docs/limits.md lists what each limit takes",
    cause: parsed.error,
  });
}

/** The limits of the whole run. */
export const RunLimits = Policy.pick({ maxGlobalIterations: true, maxRunTime: true, maxCost: true, maxTokens: true });
export type RunLimits = z.infer<typeof RunLimits>;

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
  "maxGlobalIterations",
  "maxRunTime",
  "maxCost",
  "maxTokens",
]);
export type Limit = z.infer<typeof Limit>;

/** The cap on delegations of a run that began with `open` open tasks. */
export const globalCap = (policy: Pick<Policy, "maxGlobalIterations">, open: number): number =>
  policy.maxGlobalIterations ?? Math.max(100, 2 * open);

/**
 * Rounds of the outer loop for a coordinator that is itself a prompt, from the source system: between 5 and 10,
 * one for every five tasks.
 */
export const outerLoopRounds = (totalTasks: number): number => Math.max(5, Math.min(10, Math.ceil(totalTasks / 5)));
