import { interpreted } from "./interpreted.ts";
import { globalCap, streamIdleMs, totalCap } from "./limits.ts";
import { isLimit } from "./option.ts";
import { Policy } from "./policy.ts";

/** Limits as they act, by name; null where nothing is limited. */
export type ActingLimits = Readonly<Record<string, number | null>>;

/** Names of the limits of a policy that are one number each. */
export const limitNames = Object.entries(Policy.shape)
  .filter(([name, option]) => name !== "recovery" && isLimit(option))
  .map(([name]) => name as NumberName);
type NumberName = { [Name in keyof Policy]-?: Policy[Name] extends number | null ? Name : never }[keyof Policy];

/** @param open Tasks that were open when the run began. */
export const actingLimits = (policy: Policy, open: number): ActingLimits => ({
  ...Object.fromEntries(limitNames.map((name) => [name, policy[name]])),
  maxGlobalIterations: globalCap(policy, open),
  maxTotalAttempts: totalCap(policy),
  // What holds for a tool that streams where nothing is set.
  idleTimeout: policy.idleTimeout ?? streamIdleMs,
});

const defaults = Policy.parse({}, interpreted);

/** The limits that would act without any setting, with the remedies of a policy. */
export const defaultLimits = (policy: Policy, open: number): ActingLimits => ({
  ...actingLimits(defaults, open),
  maxTotalAttempts: totalCap({ ...policy, maxTotalAttempts: null }),
});

/** Whether a limit allows more than another one. */
export const allowsMore = (one: number | null, other: number | null): boolean =>
  (one ?? Number.POSITIVE_INFINITY) > (other ?? Number.POSITIVE_INFINITY);
