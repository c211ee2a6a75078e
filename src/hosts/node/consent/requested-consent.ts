import type { Programs } from "../../../adapters/git/call-git.ts";
import type { Agreement } from "../../../model/agreement.ts";
import { isDuration, needsConsent } from "../../../model/option.ts";
import { interpreted } from "../../../model/parse-json.ts";
import { Policy } from "../../../model/policy.ts";
import { PullRequestPolicy } from "../../../model/pull-request-policy.ts";
import {
  type ActingLimits,
  actingLimits,
  allowsMore,
  defaultLimits,
  limitNames,
} from "../../../model/raised-limits.ts";
import type { StartPoint } from "../../../run/resolve-start.ts";
import { renderDuration } from "../../../wording/render-time.ts";
import type { RunOptions } from "../run-options.ts";
import type { VerifyCommands } from "./verify-commands.ts";

export interface RequestedConsent {
  readonly agreement: Agreement;
  /** Earlier consent, extended by options that the caller has set: setting an option means agreeing to it. */
  readonly agreed: Agreement;
  readonly raised: readonly RaisedLimit[];
}

interface RaisedLimit {
  readonly name: string;
  /** Null if the limit is off. */
  readonly value: number | null;
  readonly allowed: number | null;
}

interface StartFacts {
  readonly before: Agreement;
  readonly verify: VerifyCommands | null;
  readonly origin: StartPoint;
  readonly programs: Programs;
  readonly options: Pick<RunOptions, "policy" | "fromFiles">;
}

/** Build the agreement that a start needs. Earlier consent that the start does not need is kept. */
export function requestedConsent({ before, verify, origin, programs, options }: StartFacts): RequestedConsent {
  const { policy = {}, fromFiles = {} } = options;
  const isSaid = (name: string): boolean => policy[name as "scope"] !== undefined && !Object.hasOwn(fromFiles, name);
  const others = [...Object.entries(before.options), ...Object.entries(fromFiles)].filter(
    ([name]) => !isKept(name) && !isVerify(name),
  );
  const ofGit = Object.entries(programs).map(([name, value]) => [`git ${name}`, value] as const);
  const acting = actingOptions(origin.policy);
  const limits = actingLimits(origin.policy, origin.open);
  const byDefault = defaultLimits(origin.policy, origin.open);
  // Include limits above their defaults, limits set by the caller, and limits that the last start of the run agreed to.
  const counts = ([name, value]: readonly [string, number | null]): boolean =>
    isSaid(name) ||
    allowsMore(value, byDefault[name] ?? null) ||
    (!origin.fresh && Object.hasOwn(before.limits ?? {}, name));
  const agreement: Agreement = {
    verify: union(before.verify, verify?.commands),
    reality: union(before.reality, verify?.reality),
    options: { ...Object.fromEntries([...others, ...ofGit]), ...acting },
    limits: Object.fromEntries(Object.entries(limits).filter(counts)),
  };
  const unsaid = Object.entries(before.options).filter(([name]) => !isKept(name) || !isSaid(name));
  const said = Object.entries(acting).filter(([name]) => isSaid(name));
  const typed = limitNames.filter(isSaid).map((name) => [name, limits[name] ?? null]);
  const project = isSaid("verify") ? origin.policy.verify : null;
  const agreed: Agreement = {
    ...before,
    verify: project === null ? before.verify : union(before.verify, [project]),
    options: Object.fromEntries([...unsaid, ...said]),
    limits: { ...before.limits, ...Object.fromEntries(typed) },
  };
  return { agreement, agreed, raised: raisedLimits(agreed, agreement.limits ?? {}, byDefault, origin) };
}

/** Limits that allow more than was agreed to. A default counts as agreed to, unless the run had a lower limit. */
function raisedLimits(
  agreed: Agreement,
  wanted: ActingLimits,
  defaultsHere: ActingLimits,
  { fresh }: Pick<StartPoint, "fresh">,
): RaisedLimit[] {
  return Object.entries(wanted).flatMap(([name, value]) => {
    const byDefault = defaultsHere[name] ?? null;
    const before = agreed.limits?.[name];
    const isAgreed = before !== undefined && (!fresh || allowsMore(before, byDefault));
    const allowed = isAgreed ? before : byDefault;
    return allowsMore(value, allowed) ? [{ name, value, allowed }] : [];
  });
}

export const showRaised = ({ name, value, allowed }: RaisedLimit): string =>
  `${name}: ${showLimit(name, value)}, instead of ${showLimit(name, allowed)}`;

function showLimit(name: string, value: number | null): string {
  if (value === null) return "off";
  return isDuration(Policy.shape[name as keyof Policy]) ? renderDuration(value) : String(value);
}

/** Merge consent to commands. Earlier consent stays, since commands come and go with their tasks. */
export function union(before: readonly string[], more: readonly string[] = []): readonly string[] {
  // Take a fast path: usually both lists are equal and sorted.
  const isSame = before.length === more.length && before.every((command, index) => command === more[index]);
  return isSame ? more : [...new Set([...before, ...more])].sort();
}

/** Whether consent to an option counts as consent to a Verify command. */
const isVerify = (name: string): boolean => name === "verify";

const defaults = Policy.parse({}, interpreted);
const ofPullRequest: Readonly<Record<string, unknown>> = PullRequestPolicy.parse({}, interpreted);

/** Options of a policy that need consent and differ from their defaults, as text. */
const actingOptions = (policy: Policy): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(policy)
      .filter(
        ([name, value]) =>
          !isVerify(name) && needsConsent(Policy.shape[name as keyof Policy]) && value !== defaults[name as "scope"],
      )
      .map(([name, value]) => [name, asText(name, value)]),
  );

function asText(name: string, value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  const isOwn = ([part, each]: readonly [string, unknown]): boolean =>
    JSON.stringify(each) !== JSON.stringify(ofPullRequest[part]);
  return JSON.stringify(name === "pullRequest" ? Object.fromEntries(Object.entries(value).filter(isOwn)) : value);
}

/** Whether an option belongs to the policy, which a run keeps for its later starts. */
const isKept = (name: string): boolean => Object.hasOwn(Policy.shape, name);
