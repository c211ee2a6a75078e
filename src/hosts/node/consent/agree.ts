import type { Programs } from "../../../adapters/git/call-git.ts";
import { type Agreement, canonicalAgreement, differenceOf, noAgreement } from "../../../model/agreement.ts";
import { InputError } from "../../../model/errors.ts";
import type { Plan } from "../../../model/plan.ts";
import type { Origin } from "../../../run/origin.ts";
import { escapeText } from "../../../wording/escape-text.ts";
import { type ItemGroup, renderGroups } from "../../../wording/render-items.ts";
import type { RunOptions } from "../run-options.ts";
import type { Consent } from "../start/start.ts";
import type { RunDataState } from "./owner-record.ts";
import type { RunData } from "./read-run-data.ts";
import { shortHash, type VerifyCommands } from "./verify-commands.ts";
import { showRaised, type Wanted, wantedBy } from "./wanted.ts";

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

/** The question to answer before a start; null when the owner has agreed to all of it. */
function ownerQuestion(
  { agreed, agreement, raised }: Wanted,
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
  // Limits that are typed at another start with this hash are no part of the question.
  const limits = Object.fromEntries(raised.map(({ name, value }) => [name, value]));
  return {
    text,
    doubt,
    ask: "Go on?",
    items,
    hash: shortHash(state, facts, canonicalAgreement({ ...agreement, limits })),
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
  const wanted = wantedBy({ before: owner.agreement ?? noAgreement, verify, origin, programs, options });
  const question = ownerQuestion(wanted, {
    ...{ state, doubt: owner.doubt === null ? null : escapeText(owner.doubt) },
    facts: facts.length === 0 ? [] : [...facts, tickedIn(plan)],
  });
  const isFirst = origin.fresh && (state === "own" || state === "over" || options.newRun === true);
  return { wanted: wanted.agreement, question, isFirst };
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
