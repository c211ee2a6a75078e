import { needsConsent } from "../../model/option-kind.ts";
import { Policy, type PolicyInput } from "../../model/policy.ts";

const defaults = Policy.parse({});
const acting = Object.entries(Policy.shape)
  .filter(([, option]) => needsConsent(option))
  .map(([name]) => name as keyof Policy);

/** The options of a policy that take consent and are not as they are by default, as they are shown. */
export const actingOptions = (policy: Policy): Readonly<Record<string, string>> =>
  Object.fromEntries(
    acting.filter((name) => policy[name] !== defaults[name]).map((name) => [name, String(policy[name])]),
  );

/** Names of the options that a caller has set by itself: it has agreed to them by that. */
export const saidOptions = (policy: PolicyInput, fromFiles: Readonly<Record<string, string>>): ReadonlySet<string> =>
  new Set(acting.filter((name) => policy[name] !== undefined && !Object.hasOwn(fromFiles, name)));

/** Whether an option of that name is one of the policy, which a run keeps for its later starts. */
export const isKept = (name: string): boolean => Object.hasOwn(Policy.shape, name);
