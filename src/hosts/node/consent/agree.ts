import type { Programs } from "../../../adapters/git/repository-programs.ts";
import { type Agreement, canonicalAgreement, differenceOf, noAgreement } from "../../../model/agreement.ts";
import { InputError } from "../../../model/errors.ts";
import { interpreted } from "../../../model/interpreted.ts";
import { needsConsent, optionFacts } from "../../../model/option-facts.ts";
import type { Plan } from "../../../model/plan.ts";
import { Policy, type PolicyInput } from "../../../model/policy.ts";
import { PullRequestPolicy } from "../../../model/pull-request-policy.ts";
import {
  type ActingLimits,
  actingLimits,
  allowsMore,
  defaultLimits,
  limitNames,
} from "../../../model/raised-limits.ts";
import type { Origin } from "../../../start/origin.ts";
import { escapeText } from "../../../wording/escape-text.ts";
import { type ItemGroup, renderGroups } from "../../../wording/render-items.ts";
import { renderDuration } from "../../../wording/render-time.ts";
import type { RunOptions } from "../run-options.ts";
import type { Consent } from "../start/start.ts";
import type { RunDataState } from "./owner-record.ts";
import type { RunData } from "./read-run-data.ts";
import { shortHash, type VerifyCommands } from "./verify-commands.ts";

/** What the owner has to decide before a start. */
export interface OwnerQuestion {
  readonly text: string;
  /** One line about why earlier consent does not count; null when it does, or when there was none. */
  readonly doubt: string | null;
  /** The question that follows the text when somebody can answer. */
  readonly ask: string;
  /** What the question is about, a line each. */
  readonly items: readonly string[];
  /** The hash that answers this question and no other. */
  readonly hash: string;
}

/** A name that only this agreement has. */
export const agreementHash = (agreement: Agreement): string => shortHash("agreement", canonicalAgreement(agreement));

interface Answers {
  readonly accept?: string | undefined;
  readonly confirm?: RunOptions["confirm"];
}

/** Whether the owner agrees, by the hash of this question or on a terminal. */
export async function isAccepted(
  question: Omit<OwnerQuestion, "doubt">,
  { accept, confirm }: Answers,
): Promise<boolean> {
  const { text, ask, items, hash } = question;
  if (accept === "any" || accept === hash) return true;
  return (await confirm?.(`${text} ${ask}`, items)) === true;
}

/**
 * What a start would do, for the owner to agree to. Earlier consent that it does not need stays.
 *
 * @param verify The commands that the start would run; null when it runs none.
 */
function wantedAgreement(
  agreed: Agreement | null,
  verify: VerifyCommands | null,
  origin: Origin,
  { policy = {}, fromFiles = {} }: Pick<RunOptions, "policy" | "fromFiles">,
  programs: Programs,
): Agreement {
  const before = agreed ?? noAgreement;
  const kept = Object.entries(before.options).filter(([name]) => !isKept(name));
  const own = Object.entries(fromFiles).filter(([name]) => !isKept(name));
  const ofGit = Object.entries(programs).map(([name, value]) => [`git ${name}`, value] as const);
  return {
    verify: union(before.verify, verify?.commands),
    reality: union(before.reality, verify?.reality),
    options: { ...Object.fromEntries([...kept, ...own, ...ofGit]), ...actingOptions(origin.policy) },
    limits: wantedLimits(before, origin, new Set(saidOptions(limitNames, policy, fromFiles))),
  };
}

/** Limits above their defaults, those that the caller has set, and those of a run that were agreed to at its last start. */
function wantedLimits(agreed: Agreement, { policy, open, fresh }: Origin, said: ReadonlySet<string>): ActingLimits {
  const defaultsHere = defaultLimits(policy, open);
  return Object.fromEntries(
    Object.entries(actingLimits(policy, open)).filter(
      ([name, value]) =>
        said.has(name) ||
        allowsMore(value, defaultsHere[name] ?? null) ||
        (!fresh && Object.hasOwn(agreed.limits ?? {}, name)),
    ),
  );
}

/** Limits that allow more than was agreed to. A default is agreed to, unless the run had less than that. */
function raisedLimits(agreed: Agreement, wanted: Agreement, { policy, open, fresh }: Origin): RaisedLimit[] {
  const defaultsHere = defaultLimits(policy, open);
  return Object.entries(wanted.limits ?? {}).flatMap(([name, value]) => {
    const byDefault = defaultsHere[name] ?? null;
    const before = agreed.limits?.[name];
    const isAgreed = before !== undefined && (!fresh || allowsMore(before, byDefault));
    const allowed = isAgreed ? before : byDefault;
    if (!allowsMore(value, allowed)) return [];
    return [{ name, value, allowed }];
  });
}

interface RaisedLimit {
  readonly name: string;
  /** Null: off. */
  readonly value: number | null;
  readonly allowed: number | null;
}

function showLimit(name: string, value: number | null): string {
  if (value === null) return "off";
  const isTime = optionFacts.get(Policy.shape[name as keyof Policy])?.flag?.unit === "ms";
  return isTime ? renderDuration(value) : String(value);
}

/** Consent to a command stays: commands come and go with the tasks that they verify. */
export function union(before: readonly string[], more: readonly string[] = []): readonly string[] {
  // Most often all is agreed to already, and both are in order.
  const isSame = before.length === more.length && before.every((command, index) => command === more[index]);
  return isSame ? more : [...new Set([...before, ...more])].sort();
}

/** An agreement with the options and limits that the caller has set itself, and so has agreed to. */
function withSaid(
  agreed: Agreement | null,
  wanted: Agreement,
  { policy = {}, fromFiles = {} }: Pick<RunOptions, "policy" | "fromFiles">,
): Agreement {
  const options = { ...(agreed ?? noAgreement).options };
  for (const name of saidOptions(acting, policy, fromFiles)) {
    const value = wanted.options[name];
    if (value === undefined) delete options[name];
    else options[name] = value;
  }
  const said = saidOptions(limitNames, policy, fromFiles).map((name) => [name, wanted.limits?.[name] ?? null]);
  const { limits } = agreed ?? noAgreement;
  return { ...(agreed ?? noAgreement), options, limits: { ...limits, ...Object.fromEntries(said) } };
}

/** The question to answer before a start; null when the owner has agreed to all of it. */
function ownerQuestion(
  agreed: Agreement,
  wanted: Agreement,
  {
    state,
    facts,
    doubt,
    origin,
  }: Pick<OwnerQuestion, "doubt"> & {
    readonly state: RunDataState;
    readonly facts: readonly string[];
    readonly origin: Origin;
  },
): OwnerQuestion | null {
  const raised = raisedLimits(agreed, wanted, origin);
  const changes = [
    ...differenceOf(agreed, wanted),
    ...raised.map(
      ({ name, value, allowed }) => `${name}: ${showLimit(name, value)}, instead of ${showLimit(name, allowed)}`,
    ),
  ];
  const isAsked = state === "foreign" || state === "lost";
  if (changes.length === 0 && !isAsked) return null;
  const text = [
    ...(doubt === null ? [] : [`${doubt}.`]),
    ...(isAsked ? [aboutRunData[state]] : []),
    ...(changes.length > 0 ? ["This start needs your consent to the following."] : []),
  ].join(" ");
  const items = [...facts, ...changes];
  // Limits that are typed at another start with this hash are no part of the question.
  const limits = Object.fromEntries(raised.map(({ name, value }) => [name, value]));
  return {
    text,
    doubt,
    ask: "Go on?",
    items,
    hash: shortHash(state, facts, canonicalAgreement({ ...wanted, limits })),
  };
}

/** The ticks of the plan, which a run relies on when nothing else records its tasks. */
function tickedIn({ tasks }: Plan): string {
  const ticked = tasks.flatMap(({ id, done }) => (done ? [id] : []));
  return `Ticked in the plan: ${ticked.length === 0 ? "no task" : ticked.join(", ")}`;
}

const aboutRunData = {
  foreign: "You did not begin this run here: it may have come with the files.",
  lost: "The run data is missing, or older than the last run here left it.",
} as const;

/** The error for a run whose commands nobody has agreed to. */
function consentMissing({ items, doubt }: OwnerQuestion, newRun: boolean): InputError {
  return new InputError(tellMissing([{ label: null, doubt, items }]), {
    code: "consent-missing",
    ways: [{ say: "Read them, then agree", words: [...(newRun ? ["--new-run"] : []), "--yes"] }],
  });
}

/** The message of the error `consent-missing`, about one run or several. */
export function tellMissing(groups: readonly (ItemGroup & Pick<OwnerQuestion, "doubt">)[]): string {
  const doubts = groups.flatMap(({ label, doubt }) =>
    doubt === null ? [] : [`${label === null ? "" : `${escapeText(label)}: `}${doubt}\n`],
  );
  const expected = "Cannot run without consent, expected `--yes`, or `y` on a terminal:";
  return `${expected}\n${doubts.join("")}${renderGroups(groups)}`;
}

/** What a start may do, or the question to answer first. */
export interface SettledConsent extends Consent {
  /** Null when the start may go on. */
  readonly question: OwnerQuestion | null;
}

/** What a start is judged by. */
interface Judged {
  readonly data: RunData;
  readonly plan: Plan;
  readonly origin: Origin;
  /** The commands that it would run; null when it runs none. */
  readonly verify: VerifyCommands | null;
  /** Programs that the repository's configuration has git run. */
  readonly programs: Programs;
  readonly options: RunOptions;
}

/** What a start would do, and what its owner is to be asked about that. */
export function consentQuestion({ data, plan, origin, verify, programs, options }: Judged): {
  readonly wanted: Agreement;
  /** Null when the owner has agreed to all of it. */
  readonly question: OwnerQuestion | null;
  /** Whether it is the first start of a run, which `yes` is for. */
  readonly isFirst: boolean;
} {
  const { owner, state, facts } = data;
  const wanted = wantedAgreement(owner.agreement, verify, origin, options, programs);
  const question = ownerQuestion(withSaid(owner.agreement, wanted, options), wanted, {
    ...{ state, doubt: owner.doubt === null ? null : escapeText(owner.doubt), origin },
    facts: facts.length === 0 ? [] : [...facts, tickedIn(plan)],
  });
  const isFirst = origin.fresh && (state === "own" || state === "over" || options.newRun === true);
  return { wanted, question, isFirst };
}

/**
 * Find out whether the owner agrees to what a start would do: by earlier consent, by `--yes` at the first start of a
 * run, by the hash of the question, or by an answer to it.
 *
 * @throws {InputError} `consent-missing` when a run would begin with what nobody has agreed to
 */
export async function settleConsent(judged: Judged): Promise<SettledConsent> {
  const { data, options } = judged;
  const { owner } = data;
  const { wanted, question, isFirst } = consentQuestion(judged);
  let current = wanted;
  const consent: Consent = {
    current: () => current,
    agree: (agreement) => {
      current = agreement;
      owner.agree(agreement);
    },
  };
  const isAgreed = question === null || (isFirst && options.yes === true) || (await isAccepted(question, options));
  if (isAgreed) return { ...consent, question: null };
  if (isFirst) throw consentMissing(question, options.newRun === true);
  return { ...consent, question };
}

const defaults = Policy.parse({}, interpreted);
const acting = Object.entries(Policy.shape)
  .filter(([, option]) => needsConsent(option))
  .map(([name]) => name as keyof Policy);

/** The options of a policy that need consent and differ from their defaults, as they are shown. */
const actingOptions = (policy: Policy): Readonly<Record<string, string>> =>
  Object.fromEntries(
    acting.filter((name) => policy[name] !== defaults[name]).map((name) => [name, asText(name, policy[name])]),
  );

/** A value as it is shown; of a pull request what differs from its defaults. */
function asText(name: keyof Policy, value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  const parts = Object.entries(value).filter(
    ([part, each]) => JSON.stringify(each) !== JSON.stringify(ofPullRequest[part as keyof PullRequestPolicy]),
  );
  return JSON.stringify(name === "pullRequest" ? Object.fromEntries(parts) : value);
}

const ofPullRequest = PullRequestPolicy.parse({}, interpreted);

/** Options that the caller has set itself, which is consent. */
const saidOptions = <Name extends keyof Policy>(
  names: readonly Name[],
  policy: PolicyInput,
  fromFiles: Readonly<Record<string, string>>,
): readonly Name[] => names.filter((name) => policy[name] !== undefined && !Object.hasOwn(fromFiles, name));

/** Whether an option belongs to the policy, which a run keeps for its later starts. */
const isKept = (name: string): boolean => Object.hasOwn(Policy.shape, name);
