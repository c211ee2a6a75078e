import type { Programs } from "../../../adapters/git/call-git.ts";
import type { Agreement } from "../../../model/agreement.ts";
import { interpreted } from "../../../model/interpreted.ts";
import { isDuration, needsConsent } from "../../../model/option.ts";
import { Policy } from "../../../model/policy.ts";
import { PullRequestPolicy } from "../../../model/pull-request-policy.ts";
import {
  type ActingLimits,
  actingLimits,
  allowsMore,
  defaultLimits,
  limitNames,
} from "../../../model/raised-limits.ts";
import type { Origin } from "../../../run/origin.ts";
import { renderDuration } from "../../../wording/render-time.ts";
import type { RunOptions } from "../run-options.ts";
import type { VerifyCommands } from "./verify-commands.ts";

/** What a start would do, beside what its owner has agreed to. */
export interface Wanted {
  readonly agreement: Agreement;
  /** What was agreed to before, with what the caller has set itself: to say it is to agree to it. */
  readonly agreed: Agreement;
  /** Limits that allow more than was agreed to. */
  readonly raised: readonly RaisedLimit[];
}

interface RaisedLimit {
  readonly name: string;
  /** Null: off. */
  readonly value: number | null;
  readonly allowed: number | null;
}

/** What a start is known by. */
interface StartFacts {
  readonly before: Agreement;
  /** The commands that the start would run; null when it runs none. */
  readonly verify: VerifyCommands | null;
  readonly origin: Origin;
  /** Programs that the repository's configuration has git run. */
  readonly programs: Programs;
  readonly options: Pick<RunOptions, "policy" | "fromFiles">;
}

/** What a start would do. Earlier consent that it does not need stays. */
export function wantedBy({ before, verify, origin, programs, options }: StartFacts): Wanted {
  const { policy = {}, fromFiles = {} } = options;
  const isSaid = (name: string): boolean => policy[name as "scope"] !== undefined && !Object.hasOwn(fromFiles, name);
  const others = [...Object.entries(before.options), ...Object.entries(fromFiles)].filter(
    ([name]) => !isKept(name) && !isVerify(name),
  );
  const ofGit = Object.entries(programs).map(([name, value]) => [`git ${name}`, value] as const);
  const acting = actingOptions(origin.policy);
  const limits = actingLimits(origin.policy, origin.open);
  const byDefault = defaultLimits(origin.policy, origin.open);
  // Limits above their defaults, those that the caller has set, and those of a run that were agreed to at its last start.
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

/** Limits that allow more than was agreed to. A default is agreed to, unless the run had less than that. */
function raisedLimits(
  agreed: Agreement,
  wanted: ActingLimits,
  defaultsHere: ActingLimits,
  { fresh }: Pick<Origin, "fresh">,
): RaisedLimit[] {
  return Object.entries(wanted).flatMap(([name, value]) => {
    const byDefault = defaultsHere[name] ?? null;
    const before = agreed.limits?.[name];
    const isAgreed = before !== undefined && (!fresh || allowsMore(before, byDefault));
    const allowed = isAgreed ? before : byDefault;
    return allowsMore(value, allowed) ? [{ name, value, allowed }] : [];
  });
}

/** A raised limit, as its owner is asked about it. */
export const showRaised = ({ name, value, allowed }: RaisedLimit): string =>
  `${name}: ${showLimit(name, value)}, instead of ${showLimit(name, allowed)}`;

function showLimit(name: string, value: number | null): string {
  if (value === null) return "off";
  return isDuration(Policy.shape[name as keyof Policy]) ? renderDuration(value) : String(value);
}

/** Consent to a command stays: commands come and go with the tasks that they verify. */
export function union(before: readonly string[], more: readonly string[] = []): readonly string[] {
  // Most often all is agreed to already, and both are in order.
  const isSame = before.length === more.length && before.every((command, index) => command === more[index]);
  return isSame ? more : [...new Set([...before, ...more])].sort();
}

/** Whether an option is agreed to as one of the Verify commands. */
const isVerify = (name: string): boolean => name === "verify";

const defaults = Policy.parse({}, interpreted);
const ofPullRequest: Readonly<Record<string, unknown>> = PullRequestPolicy.parse({}, interpreted);

/** The options of a policy that need consent and differ from their defaults, as they are shown. */
const actingOptions = (policy: Policy): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(policy)
      .filter(
        ([name, value]) =>
          !isVerify(name) && needsConsent(Policy.shape[name as keyof Policy]) && value !== defaults[name as "scope"],
      )
      .map(([name, value]) => [name, asText(name, value)]),
  );

/** A value as it is shown; of a pull request what differs from its defaults. */
function asText(name: string, value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  const isOwn = ([part, each]: readonly [string, unknown]): boolean =>
    JSON.stringify(each) !== JSON.stringify(ofPullRequest[part]);
  return JSON.stringify(name === "pullRequest" ? Object.fromEntries(Object.entries(value).filter(isOwn)) : value);
}

/** Whether an option belongs to the policy, which a run keeps for its later starts. */
const isKept = (name: string): boolean => Object.hasOwn(Policy.shape, name);
