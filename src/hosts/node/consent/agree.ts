import type { Programs } from "../../../adapters/git/call-git.ts";
import { type Agreement, canonicalAgreement, differenceOf, noAgreement } from "../../../model/agreement.ts";
import { InputError } from "../../../model/errors.ts";
import type { Plan } from "../../../model/plan.ts";
import type { StartPoint } from "../../../run/resolve-start.ts";
import { escapeText } from "../../../wording/escape-text.ts";
import { type ItemGroup, renderGroups } from "../../../wording/render-items.ts";
import type { RunOptions } from "../run-options.ts";
import type { Consent } from "../start/start.ts";
import type { RunDataState } from "./owner-record.ts";
import type { RunData } from "./read-run-data.ts";
import { type RequestedConsent, requestedConsent, showRaised } from "./requested-consent.ts";
import { shortHash, type VerifyCommands } from "./verify-commands.ts";

export interface OwnerQuestion {
  readonly text: string;
  /** One line about why earlier consent is not valid; null if earlier consent is valid or absent. */
  readonly doubt: string | null;
  /** The short question after the text, for a terminal. */
  readonly ask: string;
  readonly items: readonly string[];
  /** Hash to accept exactly this question. */
  readonly hash: string;
}

export const agreementHash = (agreement: Agreement): string => shortHash("agreement", canonicalAgreement(agreement));

interface Answers {
  readonly accept?: string | undefined;
  readonly confirm?: RunOptions["confirm"];
}

/** Whether the owner accepts a question, by its hash or by an answer to `confirm`. */
export async function isAccepted(
  question: Omit<OwnerQuestion, "doubt">,
  { accept, confirm }: Answers,
): Promise<boolean> {
  const { text, ask, items, hash } = question;
  if (accept === "any" || accept === hash) return true;
  return (await confirm?.(`${text} ${ask}`, items)) === true;
}

function ownerQuestion(
  { agreed, agreement, raised }: RequestedConsent,
  {
    state,
    facts,
    doubt,
  }: Pick<OwnerQuestion, "doubt"> & { readonly state: RunDataState; readonly facts: readonly string[] },
): OwnerQuestion | null {
  const changes = [...differenceOf(agreed, agreement), ...raised.map(showRaised)];
  const isAsked = state === "foreign" || state === "lost";
  if (changes.length === 0 && !isAsked) return null;
  const text = [
    ...(doubt === null ? [] : [`${doubt}.`]),
    ...(isAsked ? [aboutRunData[state]] : []),
    ...(changes.length > 0 ? ["This start needs your consent to the following."] : []),
  ].join(" ");
  const items = [...facts, ...changes];
  // Hash only raised limits, not limits that the caller set, so that the next start asks a question with the same hash.
  const limits = Object.fromEntries(raised.map(({ name, value }) => [name, value]));
  return {
    text,
    doubt,
    ask: "Continue?",
    items,
    hash: shortHash(state, facts, canonicalAgreement({ ...agreement, limits })),
  };
}

/** List the ticks of the plan, which a run trusts for tasks without records. */
function tickedIn({ tasks }: Plan): string {
  const ticked = tasks.flatMap(({ id, done }) => (done ? [id] : []));
  return `Ticked in the plan: ${ticked.length === 0 ? "no task" : ticked.join(", ")}`;
}

const aboutRunData = {
  foreign: "You did not begin this run here: it may have come with the files.",
  lost: "The run data is missing, or older than what the last run here wrote.",
} as const;

function consentMissing({ items, doubt }: OwnerQuestion, newRun: boolean): InputError {
  return new InputError(renderMissing([{ label: null, doubt, items }]), {
    code: "consent-missing",
    ways: [{ say: "Read them, then agree", words: [...(newRun ? ["--new-run"] : []), "--yes"] }],
  });
}

export function renderMissing(groups: readonly (ItemGroup & Pick<OwnerQuestion, "doubt">)[]): string {
  const doubts = groups.flatMap(({ label, doubt }) =>
    doubt === null ? [] : [`${label === null ? "" : `${escapeText(label)}: `}${doubt}\n`],
  );
  const expected = "Cannot run without consent, expected `--yes`, or `y` on a terminal:";
  return `${expected}\n${doubts.join("")}${renderGroups(groups)}`;
}

export interface SettledConsent extends Consent {
  readonly question: OwnerQuestion | null;
}

interface Judged {
  readonly data: RunData;
  readonly plan: Plan;
  readonly origin: StartPoint;
  /** Commands that the start would run; null if the start runs no command. */
  readonly verify: VerifyCommands | null;
  /** Programs that git runs because of the repository's configuration. */
  readonly programs: Programs;
  readonly options: RunOptions;
}

export function consentQuestion({ data, plan, origin, verify, programs, options }: Judged): {
  readonly wanted: Agreement;
  readonly question: OwnerQuestion | null;
  /** Whether this is the first start of a run; `yes` applies only to it. */
  readonly isFirst: boolean;
} {
  const { owner, state, facts } = data;
  const wanted = requestedConsent({ before: owner.agreement ?? noAgreement, verify, origin, programs, options });
  const question = ownerQuestion(wanted, {
    ...{ state, doubt: owner.doubt === null ? null : escapeText(owner.doubt) },
    facts: facts.length === 0 ? [] : [...facts, tickedIn(plan)],
  });
  const isFirst = origin.fresh && (state === "own" || state === "over" || options.newRun === true);
  return { wanted: wanted.agreement, question, isFirst };
}

/**
 * Settle whether the owner agrees to what a start would do. The owner agrees by earlier consent, by `--yes` at the
 * first start of a run, by the hash of the question, or by an answer to the question.
 *
 * @throws {InputError} `consent-missing` if a new run has no consent
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
