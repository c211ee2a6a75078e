import { globalCap, streamIdleMs, totalCap } from "./limits.ts";
import { isLimit } from "./option.ts";
import { interpreted } from "./parse-json.ts";
import { Policy } from "./policy.ts";

/** Limits in effect, by name; null: no limit. */
export type ActingLimits = Readonly<Record<string, number | null>>;

/** Names of the limits that are numbers. */
export const limitNames = Object.entries(Policy.shape)
  .filter(([name, option]) => name !== "recovery" && isLimit(option))
  .map(([name]) => name as NumberName);
type NumberName = { [Name in keyof Policy]-?: Policy[Name] extends number | null ? Name : never }[keyof Policy];

/** @param open Number of open tasks when the run began. */
export const actingLimits = (policy: Policy, open: number): ActingLimits => ({
  ...Object.fromEntries(limitNames.map((name) => [name, policy[name]])),
  maxGlobalIterations: globalCap(policy, open),
  maxTotalAttempts: totalCap(policy),
  // This default applies to tools that stream their output.
  idleTimeout: policy.idleTimeout ?? streamIdleMs,
});

const defaults = Policy.parse({}, interpreted);

/** Limits that are in effect if no limit is set, for the ladder of `policy`. */
export const defaultLimits = (policy: Policy, open: number): ActingLimits => ({
  ...actingLimits(defaults, open),
  maxTotalAttempts: totalCap({ ...policy, maxTotalAttempts: null }),
});

export const allowsMore = (one: number | null, other: number | null): boolean =>
  (one ?? Number.POSITIVE_INFINITY) > (other ?? Number.POSITIVE_INFINITY);
