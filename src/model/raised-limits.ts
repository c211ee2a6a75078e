import { globalCap, streamIdleMs, totalCap } from "./limits.ts";
import { isLimit } from "./option.ts";
import { interpreted } from "./parse-json.ts";
import { Policy } from "./policy.ts";

/** Effective limits, by name; null: unlimited. */
export type ActingLimits = Readonly<Record<string, number | null>>;

/** Names of a policy's numeric limits. */
export const limitNames = Object.entries(Policy.shape)
  .filter(([name, option]) => name !== "recovery" && isLimit(option))
  .map(([name]) => name as NumberName);
type NumberName = { [Name in keyof Policy]-?: Policy[Name] extends number | null ? Name : never }[keyof Policy];

/** @param open Number of open tasks when the run began. */
export const actingLimits = (policy: Policy, open: number): ActingLimits => ({
  ...Object.fromEntries(limitNames.map((name) => [name, policy[name]])),
  maxGlobalIterations: globalCap(policy, open),
  maxTotalAttempts: totalCap(policy),
  // Default for a streaming tool.
  idleTimeout: policy.idleTimeout ?? streamIdleMs,
});

const defaults = Policy.parse({}, interpreted);

/** The effective limits without any setting, for the remedies of a policy. */
export const defaultLimits = (policy: Policy, open: number): ActingLimits => ({
  ...actingLimits(defaults, open),
  maxTotalAttempts: totalCap({ ...policy, maxTotalAttempts: null }),
});

/** Whether one limit allows more than another. */
export const allowsMore = (one: number | null, other: number | null): boolean =>
  (one ?? Number.POSITIVE_INFINITY) > (other ?? Number.POSITIVE_INFINITY);
